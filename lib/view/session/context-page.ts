import type { Category } from '../../core/tokens/category'
import type { Tokens } from '../../core/units/units'
import type { TreemapItem } from '../charts/treemap'
import type { ContextChoice, ContextItem } from './context-rows'

/** One row of "what the model saw". What is not in the transcript has neither line nor time nor preview. */
export type ContextRow = ContextItem & {
  readonly line: number | null
  readonly at: number | null
  readonly type: string | null
  readonly role: string | null
  readonly tool: string | null
  readonly preview: string | null
}

/** A provider's checkpoint that a context begins with. `text`: its readable summary, in short; null: encrypted. */
export type ReplayView = { readonly provider: string; readonly text: string | null }

/** What is said of it above the list. Transcripts do not tell the address and login of a call. */
export function replayWords({ provider, text }: ReplayView): string {
  const kept = text === null ? 'What it kept is unknown, as it is encrypted.' : `It kept: ${text}`
  return `${provider} compacted what came before on its own side; its checkpoint is sent instead. ${kept} That this call went the same way (address, login) is assumed.`
}

/** A stretch of the list as chosen, and what the panels beside it need of the whole. */
export type ContextPage = {
  readonly call: number
  readonly choice: ContextChoice
  /** Rows of the whole list as chosen. */
  readonly total: number
  /** Their tokens together. */
  readonly tokens: Tokens
  /** How many of them were not sent. */
  readonly unsent: number
  /** Rows from the beginning of the window on that the provider may have cut away; 0: it saw all. */
  readonly unsure: number
  /** Tokens of the largest row, for the small bars. */
  readonly largest: number
  readonly offset: number
  readonly rows: readonly ContextRow[]
  /** What its first entry represents when the provider compacted all before it; null when it did not. */
  readonly replay: ReplayView | null
  /** Of the whole context, whatever the filter; only with the first page. */
  readonly whole: ContextWhole | null
}

export type ContextWhole = {
  readonly heaviest: readonly ContextRow[]
  readonly groups: readonly { readonly category: Category; readonly items: readonly TreemapItem[] }[]
}

/** Rows that travel together. */
export const CONTEXT_PAGE_ROWS = 60

/** What a row is, in a few words: the tool, else the role, else the kind of entry. */
export function rowKind(row: Pick<ContextRow, 'type' | 'role' | 'tool'>): string {
  if (row.role === 'toolResult' || row.role === 'bashExecution') return row.tool ?? 'tool result'
  if (row.type === 'compaction') return 'summary'
  if (row.type === 'branch_summary') return 'branch summary'
  if (row.role === 'custom') return 'injected'
  return row.role ?? row.type ?? ''
}
