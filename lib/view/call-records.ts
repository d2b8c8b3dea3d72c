import type { WindowSource } from '../core/budget/window'
import { CATEGORIES } from '../core/tokens/category'
import type { CallColumns, WindowSpan } from './call-columns'
import { visibleLine } from './visible-text'

/** What columns are made from: calls one after the other, numbered without gaps. Times in milliseconds. */
export type CallInput = {
  readonly n: number
  readonly seq: number
  readonly at: number | null
  readonly provider: string | null
  readonly model: string | null
  readonly window: number
  readonly windowSource: string
  readonly total: number | null
  readonly basis: string
  readonly errorPct: number | null
  readonly splitErrorPct: number | null
  readonly bases: string
  readonly output: number | null
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  readonly costUsd: number | null
  readonly stopReason: string | null
  /** In the order of CATEGORIES. */
  readonly tokens: readonly number[]
}

/** Calls turned into columns. Linear; each model is named once, each window once per stretch. */
export function columnsOfCalls(calls: readonly CallInput[]): CallColumns {
  const models = new Map<string, number>()
  const windows: WindowSpan[] = []
  const model: number[] = []
  let basis = ''
  for (const call of calls) {
    basis += call.basis[0] ?? 'u'
    model.push(modelIndex(models, call))
    const last = windows.at(-1)
    if (last?.tokens !== call.window || last.source !== call.windowSource) {
      windows.push({ from: call.n, tokens: call.window, source: call.windowSource as WindowSource })
    }
  }
  return {
    from: calls[0]?.n ?? 1,
    seq: calls.map((call) => call.seq),
    at: calls.map((call) => call.at),
    total: calls.map((call) => call.total),
    basis,
    errorPct: calls.map((call) => call.errorPct),
    splitErrorPct: calls.map((call) => call.splitErrorPct),
    tokens: CATEGORIES.map((_, index) => calls.map((call) => call.tokens[index] ?? 0)),
    bases: calls.map((call) => call.bases),
    output: calls.map((call) => call.output),
    cacheRead: calls.map((call) => call.cacheRead),
    cacheWrite: calls.map((call) => call.cacheWrite),
    costUsd: calls.map((call) => call.costUsd),
    stopReason: calls.map((call) => (call.stopReason === null ? null : shortName(call.stopReason))),
    model,
    models: [...models.keys()].map(shortName),
    windows,
  }
}

function modelIndex(models: Map<string, number>, call: CallInput): number {
  if (call.model === null) return -1
  const name = call.provider === null ? call.model : `${call.provider}/${call.model}`
  const known = models.get(name)
  if (known !== undefined) return known
  models.set(name, models.size)
  return models.size - 1
}

/** A name from a transcript, safe to print and not longer than names are. */
function shortName(name: string): string {
  return visibleLine(name.slice(0, 120))
}
