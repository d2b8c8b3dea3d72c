import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../report'
import { type AnyMessage, HISTORY_FORMS, type HistoryForm, historyMessages, pairsIn } from './history-forms'
import type { OwnTool } from './own-tool'
import type { ContextTool, Limits } from './peer-tools'
import { type History, longHistory, randomHistory } from './random-histories'

/** A window in which most of the random histories do not fit, and what the other tools are asked to cut them to. */
const SMALL: Limits = { window: 32_000, budget: 16_000 }
/** The same for 5,000 messages of some 400,000 tokens. */
const LARGE: Limits = { window: 200_000, budget: 100_000 }
/** A window in which nothing is due. */
const ROOMY: Limits = { window: 1_000_000, budget: 1_000_000 }

const MESSAGES = 5_000
const RUNS = 7

/** Lines that an agent writes. */
export const linesToAdopt = ({ adopt }: ContextTool) =>
  adopt.split('\n').filter((line) => line.trim() !== '').length

/** What the tool and all that it brings take on the disk, in blocks of 4 KiB; null when nothing is installed. Megabytes. */
export function installedSize({ folder }: ContextTool): number | null {
  if (folder === null) return null
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((item) => item.isFile())
  const blocks = files.map((item) => Math.ceil(statSync(join(item.parentPath, item.name)).size / 4096))
  return (blocks.reduce((sum, n) => sum + n, 0) * 4096) / 1_000_000
}

const sizeOf = (messages: readonly AnyMessage[]) => JSON.stringify(messages).length
/** Fields that tell one form from another; objects of a library's own classes have others. */
const kindOf = ({ role, type }: AnyMessage) => `${role}/${type}`

/**
 * Forms that the tool reads by itself: a history that is far too long comes back in the same form, smaller by a half,
 * with the newest message in it and every pair whole.
 */
export async function understoodForms(tool: ContextTool): Promise<HistoryForm[]> {
  const understood: HistoryForm[] = []
  for (const form of HISTORY_FORMS) {
    const messages = historyMessages(form, longHistory(400, 300))
    const kinds = new Set(messages.map(kindOf))
    const sent = await tool.cut(messages, SMALL).catch(() => null)
    if (sent === null) continue
    const isWhole = pairsIn(sent).torn === 0 && sizeOf(sent) < sizeOf(messages) / 2
    const isSame = sent.every((message) => kinds.has(kindOf(message)))
    const last = JSON.stringify(messages.at(-1))
    if (isWhole && isSame && JSON.stringify(sent).includes(last)) understood.push(form)
  }
  return understood
}

/** Random histories of which the tool left every call its result and every result its call, of those that it cut. */
export async function keptPairs(
  tool: ContextTool,
  forms: readonly HistoryForm[],
  histories: number,
): Promise<{ readonly kept: number; readonly cut: number }> {
  let [kept, cut] = [0, 0]
  for (let seed = 0; seed < histories; seed++) {
    const form = forms[seed % forms.length] ?? tool.form
    const messages = tool.take(historyMessages(form, randomHistory(seed)))
    const sent = await tool.cut(messages, SMALL)
    if (pairsIn(sent).torn === 0) kept++
    if (sizeOf(sent) < sizeOf(messages)) cut++
  }
  return { kept, cut }
}

/** Median and best time of one use, and beside it the median of one `JSON.stringify` of the messages. Milliseconds. */
export type FitTime = {
  readonly ms: number
  readonly best: number
  readonly beside: number
  /** Over so many messages. */
  readonly messages: number
}

/** What takes longer is not repeated. Milliseconds. */
const LONG = 2_000
/** What takes longer for an eighth of the messages is measured with that eighth, once. Milliseconds. */
const LONG_EIGHTH = 250

/** A history of so many messages with results of so many words; a time that grows with the square is measured with less. */
async function timeOf(tool: ContextTool, words: number, limits: Limits): Promise<FitTime> {
  const part = (share: number): Limits => ({ ...limits, budget: limits.budget * share })
  const eighth = await timesOf(tool, longHistory(MESSAGES / 8, words), part(1 / 8), 1)
  return eighth.ms > LONG_EIGHTH ? eighth : timesOf(tool, longHistory(MESSAGES, words), limits, RUNS)
}

async function timesOf(tool: ContextTool, history: History, limits: Limits, runs: number): Promise<FitTime> {
  const times: number[] = []
  const beside: number[] = []
  let count = 0
  for (let run = 0; run <= runs; run++) {
    // New objects each time: nothing may be remembered of them.
    const messages = historyMessages(tool.form, history)
    count = messages.length
    const taken = tool.take(messages)
    const before = performance.now()
    JSON.stringify(messages)
    const start = performance.now()
    await tool.cut(taken, limits)
    const end = performance.now()
    const isLong = end - start > LONG
    // The first one compiles.
    if (run === 0 && !isLong) continue
    beside.push(start - before)
    times.push(end - start)
    if (isLong) break
  }
  return { ms: median(times), best: Math.min(...times), beside: median(beside), messages: count }
}

export const timeWhenNothingIsDue = (tool: ContextTool) => timeOf(tool, 5, ROOMY)
export const timeWhenMuchIsDue = (tool: ContextTool) => timeOf(tool, 150, LARGE)

/** Time of the next request of one conversation, for which nothing is due. Milliseconds. */
export async function timeOfNextFit({ open, form }: OwnTool): Promise<number> {
  const messages = historyMessages(form, longHistory(MESSAGES, 5))
  const context = open(ROOMY.window)
  await context.fit(messages)
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    messages.push(
      { role: 'user', content: `And ship ${run}?` },
      { role: 'assistant', content: 'At berth 9.' },
    )
    const start = performance.now()
    await context.fit(messages)
    times.push(performance.now() - start)
  }
  return median(times)
}

/** Results that left a context, and how many of them are found in cold storage by words of theirs. */
export async function coldCopies({
  open,
  form,
}: OwnTool): Promise<{ readonly left: number; readonly found: number }> {
  const history = longHistory(400, 300)
  const context = open(SMALL.window)
  const sent = JSON.stringify((await context.fit(historyMessages(form, history))).messages)
  const results = history.flatMap(({ steps }) => steps.flatMap(({ results: all }) => all))
  const gone = results.filter(({ result }) => !sent.includes(result))
  let found = 0
  for (const { result } of gone) {
    const words = result.split(' ').slice(-12).join(' ')
    if ((await context.search(words, 5)).some(({ text }) => text.includes(result))) found++
  }
  return { left: gone.length, found }
}
