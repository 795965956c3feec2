/** A problem that the operator can solve. The message is a single line that tells how. */
export class OperatorError extends Error {}

/**
 * Data that the server cannot use. A restart cannot succeed until the operator has solved the
 * problem.
 */
export class UnusableDataError extends OperatorError {}
