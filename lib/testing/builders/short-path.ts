import type { PlanInput } from '../../core/compaction/plan-input'
import type { SizedEntry } from '../../core/compaction/sized-entry'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import type { Policy } from '../../core/policy/policy'
import type { EntryCategory } from '../../core/tokens/category'
import { measured } from '../../core/tokens/figure'
import type { EntryTokens } from '../../core/tokens/frame-entries'
import type { EntryFact } from '../../core/transcript/entry'
import { TranscriptBuilder } from './transcript'

/**
 * A path in short, an entry a word: `u` user, `a` assistant, `a:x` with call x, `r:x` its result, `b` a shell command,
 * `s` a setting, `c` a compaction, `z` a reset, `m` a custom message, `n` a branch summary, `h` a summary as a message.
 * A mark of importance is `!` behind it. Messages are of ten tokens, or of so many as are behind `=`.
 */
export function shortPath(text: string): SizedEntry[] {
  const t = new TranscriptBuilder()
  const words = text.split(' ').map((word) => {
    const [what = '', size = '10'] = word.split('=')
    const [kind = '', id = ''] = what.replace('!', '').split(':')
    addEntry(t, kind, id)
    return { size: Number(size), important: what.includes('!') }
  })
  return t
    .facts()
    .slice(1)
    .map((fact, i) => {
      const { size = 0, important = false } = words[i] ?? {}
      return { fact: important ? { ...fact, important } : fact, size }
    })
}

function addEntry(t: TranscriptBuilder, kind: string, id: string): void {
  if (kind === 'u') t.user('go')
  else if (kind === 'a') t.assistant('yes', { calls: id === '' ? [] : id.split(',') })
  else if (kind === 'r') t.result(id, 'done')
  else if (kind === 'b') t.message({ role: 'bashExecution', command: 'ls', output: '' })
  else if (kind === 's') t.entry('model_change', { modelId: 'm' })
  else if (kind === 'c') t.compaction('so far', 'e1')
  else if (kind === 'z') t.entry('reset', { reason: 'new' })
  else if (kind === 'm') t.entry('custom_message', { content: 'x' })
  else if (kind === 'n') t.entry('branch_summary', { summary: 'x', fromId: 'e1' })
  else if (kind === 'h') t.message({ role: 'compactionSummary', content: 'x' })
  else throw new Error(`${kind}: no such entry`)
}

/** Tokens of the system prompt of a short plan. */
export const SHORT_FIXED = 50

/**
 * A plan's input of such a path, all of which is sent; tokens are as the runtime sizes them. The window has no lines of
 * its own, nothing rolls, and no share is held; a summary takes 10 tokens.
 * @param keep tokens of the tail
 */
export function shortPlanInput(text: string, keep: number, over: Partial<PlanInput> = {}): PlanInput {
  const path = shortPath(text)
  const context = path.flatMap(({ fact, size }): EntryTokens[] => {
    const category = categoryOf(fact)
    if (category === null) return []
    return [{ entry: { fact, sent: true }, category, tokens: size, byCategory: { [category]: size } }]
  })
  const held = context.reduce((sum, { tokens }) => sum + tokens, 0)
  return {
    policy: shortPolicy(keep),
    window: 1000,
    path,
    keptBy: () => -1,
    context,
    fixed: { 'system-prompt': SHORT_FIXED },
    total: measured(SHORT_FIXED + held),
    recordTokensBefore: SHORT_FIXED + held,
    manual: false,
    source: 'digest',
    checkpoint: null,
    summaryTokens: () => 10,
    price: null,
    cacheRead: null,
    ...over,
  }
}

/** The default policy without guards of the window, rolling summary and held share. @param turns that stay, where it rolls */
export function shortPolicy(keepRecentTokens: number, turns: number | null = null): Policy {
  const { window, compaction, summary } = DEFAULT_POLICY
  const rolling = { ...summary.rolling, enabled: turns !== null, windowTurns: turns ?? 0 }
  return {
    ...DEFAULT_POLICY,
    window: { ...window, blockBelow: 0, warnBelow: 0 },
    compaction: { ...compaction, keepRecentTokens, withinShare: false },
    summary: { ...summary, rolling },
  }
}

function categoryOf({ type, role }: EntryFact): EntryCategory | null {
  if (type === 'compaction' || type === 'branch_summary' || role === 'compactionSummary') return 'summary'
  if (type === 'custom_message') return 'other'
  if (type !== 'message') return null
  if (role === 'user') return 'user'
  if (role === 'assistant') return 'assistant'
  return role === 'toolResult' ? 'tool-result' : 'other'
}
