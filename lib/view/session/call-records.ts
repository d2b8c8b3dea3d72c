import type { CallRecord } from '../../core/tokens/call-record'
import { CATEGORIES } from '../../core/tokens/category'
import { shownText } from '../text/shown-text'
import type { CallColumns, WindowSpan } from './call-columns'

/**
 * Calls turned into columns, in one pass: the numbers of a call lie together. Each model is named once, each window
 * once per stretch.
 */
export function columnsOfCalls(calls: readonly CallRecord[]): CallColumns {
  const seq: number[] = []
  const at: (number | null)[] = []
  const total: (number | null)[] = []
  const errorPct: (number | null)[] = []
  const splitErrorPct: (number | null)[] = []
  const tokens: number[][] = CATEGORIES.map(() => [])
  const bases: string[] = []
  const output: (number | null)[] = []
  const cacheRead: (number | null)[] = []
  const cacheWrite: (number | null)[] = []
  const costUsd: (number | null)[] = []
  const listUsd: (number | null)[] = []
  let listFrom = ''
  const seenTokens: (number | null)[] = []
  const stopReason: (string | null)[] = []
  const model: number[] = []
  const models = new Models()
  const stopReasons = new ShortNames()
  const windows: WindowSpan[] = []
  let basis = ''
  for (const call of calls) {
    seq.push(call.seq)
    at.push(call.at)
    total.push(call.total)
    basis += call.basis[0] ?? 'u'
    errorPct.push(call.errorPct)
    splitErrorPct.push(call.splitErrorPct)
    for (let i = 0; i < CATEGORIES.length; i++) tokens[i]?.push(call.tokens[i] ?? 0)
    bases.push(call.bases)
    output.push(call.output)
    cacheRead.push(call.cacheRead)
    cacheWrite.push(call.cacheWrite)
    costUsd.push(call.costUsd)
    listUsd.push(call.listUsd)
    listFrom += call.listFrom === null ? '-' : call.listFrom === 'settings' ? 's' : 'l'
    seenTokens.push(call.seenTokens)
    stopReason.push(call.stopReason === null ? null : stopReasons.of(call.stopReason))
    model.push(models.indexOf(call))
    const last = windows.at(-1)
    const believed = call.believed?.tokens
    if (last?.tokens !== call.window || last.source !== call.windowSource || last.believed !== believed) {
      const window = { from: call.n, tokens: call.window, source: call.windowSource }
      windows.push(believed === undefined ? window : { ...window, believed })
    }
  }
  return {
    from: calls[0]?.n ?? 1,
    seq,
    at,
    total,
    basis,
    errorPct,
    splitErrorPct,
    tokens,
    bases,
    output,
    cacheRead,
    cacheWrite,
    costUsd,
    listUsd,
    listFrom,
    seenTokens,
    stopReason,
    model,
    models: models.names(),
    windows,
  }
}

/** The models of calls, numbered as they come. */
class Models {
  readonly #numbers = new Map<string, number>()
  #last: { readonly provider: string | null; readonly model: string | null; readonly index: number } | null =
    null

  /** -1 when it is not known. */
  indexOf({ provider, model }: CallRecord): number {
    // Nearly always that of the call before, and then no name has to be put together.
    if (this.#last?.model === model && this.#last.provider === provider) return this.#last.index
    const index = model === null ? -1 : this.#number(provider === null ? model : `${provider}/${model}`)
    this.#last = { provider, model, index }
    return index
  }

  names(): string[] {
    return [...this.#numbers.keys()].map(shortName)
  }

  #number(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#numbers.size)
    return this.#numbers.size - 1
  }
}

/** Short names of which each is made once: the same few are at thousands of calls. */
class ShortNames {
  readonly #made = new Map<string, string>()

  of(name: string): string {
    let short = this.#made.get(name)
    if (short === undefined) {
      short = shortName(name)
      this.#made.set(name, short)
    }
    return short
  }
}

/** A name from a transcript, safe to print and not longer than names are. */
function shortName(name: string): string {
  return shownText(name).slice(0, 120)
}
