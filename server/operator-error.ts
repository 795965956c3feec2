/** A problem that the person who runs the installation can solve. The message is one line that says how. */
export class OperatorError extends Error {}

/** One about data that stay as they are until that person changes something, so that another start ends like this one. */
export class UnusableDataError extends OperatorError {}
