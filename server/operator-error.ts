/** A problem that the operator can solve. The message is one line that says how. */
export class OperatorError extends Error {}

/** Unusable data. A restart fails again until the operator changes something. */
export class UnusableDataError extends OperatorError {}
