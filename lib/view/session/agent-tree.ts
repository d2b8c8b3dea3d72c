import type { AgentFigures } from '../../core/transcript/agent-figures'
import type { Tokens } from '../../core/units/units'
import { formatPercent, formatQuantity, formatUsd } from '../text/format'
import { shownText } from '../text/shown-text'

/** One row of the tree. */
export type AgentTreeRow = Pick<AgentFigures, 'depth' | 'calls' | 'largest' | 'updatedAt'> & {
  /** null: requests within the session's own file, which have no page. */
  readonly id: string | null
  readonly title: string
  readonly model: string | null
  /** All that was sent and answered. */
  readonly tokens: Tokens
  /** `$0.12`, `≈ $0.12` at list prices, with `+` where a part has no known price; `unpriced`. */
  readonly price: string
  readonly priceTitle: string
  /** Of the bill of the session with all that works for it; `?` where a part of the bill is not known. */
  readonly share: string
}

/** What works for a session, and the session itself on top. */
export type AgentTree = { readonly rows: readonly AgentTreeRow[]; readonly agents: number }

/** Requests in the file of their session, by what they are there: sub-agents of Claude Code before 2, else compactions. */
const BESIDES: { readonly [kind: string]: string } = { 'claude-code': 'Sub-agents in its file' }

/** @param found the session, and behind it those that work for it; null where nothing does */
export function agentTree(
  found: readonly (AgentFigures & { readonly title: string })[],
  kind: string,
): AgentTree | null {
  const [top] = found
  if (top === undefined || (found.length === 1 && top.besides === 0)) return null
  const whole = found.reduce((sum, one) => sum + moneyOf(one), 0)
  const isWhole = found.every(({ unpriced }) => unpriced === 0) && whole > 0
  const shareOf = (usd: number) => (isWhole ? formatPercent(usd / whole) : '?')
  const rows = found.flatMap((one) => {
    const { id, depth, model, calls, largest, updatedAt, besides, besidesTokens, besidesUsd } = one
    const own: AgentFigures =
      besides === 0 ? one : { ...one, listUsd: one.listUsd === null ? null : one.listUsd - (besidesUsd ?? 0) }
    const row: AgentTreeRow = {
      ...{ id, depth, calls, largest, updatedAt, title: one.title },
      model: model === null ? null : shownText(model),
      tokens: one.input + one.output + one.cacheRead + one.cacheWrite - besidesTokens,
      ...priceOf(own),
      share: shareOf(moneyOf(own)),
    }
    if (besides === 0) return [row]
    const listed = { costUsd: null, listUsd: besidesUsd, unpriced: besidesUsd === null ? besides : 0 }
    const within: AgentTreeRow = {
      ...{ id: null, depth: depth + 1, calls: besides, largest: null, updatedAt: null, model: null },
      title: BESIDES[kind] ?? 'Requests beside the conversation, of compactions',
      tokens: besidesTokens,
      ...priceOf(listed),
      share: shareOf(besidesUsd ?? 0),
    }
    return [row, within]
  })
  return { rows, agents: found.length - 1 }
}

type Priced = Pick<AgentFigures, 'costUsd' | 'listUsd' | 'unpriced'>

function moneyOf({ costUsd, listUsd }: Priced): number {
  return (costUsd ?? 0) + (listUsd ?? 0)
}

function priceOf(priced: Priced): Pick<AgentTreeRow, 'price' | 'priceTitle'> {
  const { costUsd, listUsd, unpriced } = priced
  if (costUsd === null && listUsd === null)
    return { price: 'unpriced', priceTitle: 'nothing was recorded, and no list price is known' }
  const sign = listUsd === null ? '' : '≈ '
  const basis = listUsd === null ? 'as recorded' : 'at list prices where nothing was recorded, not billed'
  return {
    price: `${sign}${formatUsd(moneyOf(priced))}${unpriced > 0 ? '+' : ''}`,
    priceTitle: unpriced > 0 ? `${basis}; ${formatQuantity(unpriced, 'request')} without a price` : basis,
  }
}
