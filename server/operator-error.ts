/** A problem that the person who runs the installation can solve. The message is one line that says how. */
export class OperatorError extends Error {}
