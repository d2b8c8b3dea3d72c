/** Tells whoever runs an agent or a command what happens to a context; nothing is told where nobody listens. */
export type Diagnose = (level: 'debug' | 'info' | 'warn', line: string) => void

/** null: nobody knows. */
type Sizes = { readonly messages: number; readonly tokens: number | null }

/**
 * What a compaction found and what it left (Q8): two lines of the same id, so that they are found together among those
 * of others.
 */
export function diagnoseCompaction(
  diagnose: Diagnose | undefined,
  id: string,
  before: Sizes,
  after: Sizes,
): void {
  diagnose?.(
    'debug',
    `compaction ${id} pre: messages=${before.messages} tokens=${before.tokens ?? 'unknown'}`,
  )
  const messages = signed(after.messages - before.messages)
  const tokens =
    before.tokens === null || after.tokens === null
      ? 'unknown'
      : `${after.tokens} (${signed(after.tokens - before.tokens)})`
  diagnose?.('debug', `compaction ${id} post: messages=${after.messages} (${messages}) tokens=${tokens}`)
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value)
}
