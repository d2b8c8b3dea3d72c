/** Tells whoever runs the agent what happens to its context; nothing is told where nobody listens. */
export type Diagnose = (level: 'debug' | 'info' | 'warn', line: string) => void

type Sizes = { readonly messages: number; readonly tokens: number }

/**
 * What a compaction found and what it left (Q8): two lines of the same id, so that they are found together among those
 * of other conversations.
 * @param number which compaction of its conversation it was, from 1
 */
export function diagnoseCompaction(
  { session, diagnose }: { readonly session: string; readonly diagnose?: Diagnose },
  number: number,
  before: Sizes,
  after: Sizes,
): void {
  const id = `${session}#${number}`
  diagnose?.('debug', `compaction ${id} pre: messages=${before.messages} tokens=${before.tokens}`)
  const messages = signed(after.messages - before.messages)
  const tokens = signed(after.tokens - before.tokens)
  diagnose?.(
    'debug',
    `compaction ${id} post: messages=${after.messages} (${messages}) tokens=${after.tokens} (${tokens})`,
  )
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value)
}
