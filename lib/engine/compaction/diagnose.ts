import type { Tokens } from '../../core/units/units'
/** Tells the host of an agent or a command what happens to a context; without a listener nothing is sent. */
export type Diagnose = (level: 'debug' | 'info' | 'warn', line: string) => void

/** null: unknown. */
type Sizes = { readonly messages: number; readonly tokens: Tokens | null }

/**
 * What a compaction found and what it left: two lines of the same id, so that they are found together among those
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
