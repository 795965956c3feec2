/** The message is a single line that tells the operator how to solve the problem. */
export class OperatorError extends Error {}

/** A restart cannot succeed until the operator has solved the problem. */
export class UnusableDataError extends OperatorError {}
