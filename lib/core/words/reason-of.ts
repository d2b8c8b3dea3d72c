/** Why something failed, in the words of the error that was caught; of anything else that was thrown, its text. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
