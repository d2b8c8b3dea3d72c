import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../report'
import { runNode } from '../run-process'
import type { AgentLife, LifeAsked } from './agent-life'
import type { FirstUse, FirstUseAsked } from './first-use'
import { type AnyMessage, HISTORY_FORMS, type HistoryForm, historyMessages, pairsIn } from './history-forms'
import type { OwnTool } from './own-tool'
import type { ContextTool, Limits } from './peer-tools'
import { longHistory, randomHistory } from './random-histories'
import type { WarmUse } from './warm-use'

/** A window in which most of the random histories do not fit, and what the other tools are asked to cut them to. */
const SMALL: Limits = { window: 32_000, budget: 16_000 }
/** The same for 5,000 messages of some 400,000 tokens. */
const LARGE: Limits = { window: 200_000, budget: 100_000 }
/** A window in which nothing is due. */
const ROOMY: Limits = { window: 1_000_000, budget: 1_000_000 }

const MESSAGES = 5_000
/** Of each result, where nothing is due, and where much is. */
const FEW_WORDS = 5
const WORDS = 150

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

/** Median and best time, and beside it the median of one `JSON.stringify` of the messages. Milliseconds. */
export type WarmTime = { readonly ms: number; readonly best: number; readonly beside: number }

/**
 * Median and best time of the first use in a separate process, and beside it the median of one `JSON.stringify` of the
 * messages there. Milliseconds.
 */
export type FitTime = WarmTime & {
  /** Over so many messages. */
  readonly messages: number
  readonly uses: readonly FirstUse[]
}

/** What takes longer is measured in few processes. Milliseconds. */
const LONG = 2_000
const FEW = 3
/** What takes longer for an eighth of the messages is measured with that eighth. Milliseconds. */
const LONG_EIGHTH = 250

/** How often, and with what: words of each result, and what the messages are cut to. */
type Timing = { readonly processes: number; readonly words: number; readonly limits: Limits }

/** The first use over 5,000 messages; a time that grows with the square is measured with less. */
async function timeOf(tool: ContextTool, { processes, words, limits }: Timing): Promise<FitTime> {
  const part = (share: number) => ({
    ...{ load: tool.load, words, messages: MESSAGES * share },
    limits: { ...limits, budget: limits.budget * share },
  })
  const eighth = await inProcesses(part(1 / 8), 1)
  if (eighth.ms > LONG_EIGHTH) return inProcesses(part(1 / 8), FEW)
  const once = await inProcesses(part(1), 1)
  return once.ms > LONG ? inProcesses(part(1), FEW) : inProcesses(part(1), processes)
}

async function inProcesses(asked: Omit<FirstUseAsked, 'pause'>, processes: number): Promise<FitTime> {
  const uses: FirstUse[] = []
  // Every other one asks for what has left as soon as it is answered, the rest as an agent does: after the model.
  for (let n = 0; n < processes; n++)
    uses.push(await firstUseApart({ ...asked, pause: n % 2 === 0 ? 0 : MODEL_TIME }))
  const ms = uses.map(({ fit }) => fit)
  return {
    ms: median(ms),
    best: Math.min(...ms),
    beside: median(uses.map(({ beside }) => beside)),
    messages: uses[0]?.messages ?? 0,
    uses,
  }
}

/** No model answers sooner. Milliseconds. */
const MODEL_TIME = 1_000

/** In a new process: what was compiled for one use must not help the next. */
async function apart<T>(name: 'firstUse' | 'agentLife' | 'warmUse', asked: object): Promise<T> {
  const script = `const [file, name, asked] = process.argv.slice(1)
const { [name]: work } = await import(file)
console.log(JSON.stringify(await work(JSON.parse(asked))))`
  const { code, stdout } = await runNode(
    ['--input-type=module', '--eval', script, import.meta.url, name, JSON.stringify(asked)],
    { cwd: process.cwd() },
  )
  if (code !== 0) throw new Error(`${name} ${JSON.stringify(asked)} ended with ${code}: ${stdout}`)
  return JSON.parse(stdout)
}

const firstUseApart = (asked: FirstUseAsked) => apart<FirstUse>('firstUse', asked)

/** A window in which a conversation with results of so many words is to be compacted at about 5,000 messages. */
const LIFE_WINDOW = 605_000
/** So far from that it may be. */
const ABOUT = 500

/** Lives of an agent in separate processes, each up to so many compactions of about 5,000 messages each. */
export async function agentLives(
  installed: string,
  processes: number,
  compactions: number,
): Promise<AgentLife[]> {
  const lives: AgentLife[] = []
  const asked: LifeAsked = { installed, window: LIFE_WINDOW, words: WORDS, compactions }
  for (let n = 0; n < processes; n++) lives.push(await apart<AgentLife>('agentLife', asked))
  for (const { messages } of lives.flatMap((life) => life.compactions))
    if (Math.abs(messages - MESSAGES) > ABOUT)
      throw new Error(`${messages} messages were compacted, not about ${MESSAGES}: set LIFE_WINDOW anew`)
  return lives
}

/** Uses before those that are measured, and so many of these. */
const WARMING = 15
const WARM = 21

/** What a process takes that has done the same before; over as many messages as `time`. Milliseconds. */
export async function warmTime(
  { load }: ContextTool,
  { messages, ms }: FitTime,
  due: 'nothing' | 'much',
): Promise<WarmTime> {
  const isLong = ms > LONG_EIGHTH * 2
  const { fits, beside } = await apart<WarmUse>('warmUse', {
    ...{ load, messages, words: due === 'nothing' ? FEW_WORDS : WORDS },
    limits: due === 'nothing' ? ROOMY : { ...LARGE, budget: (LARGE.budget * messages) / MESSAGES },
    ...(isLong && messages < MESSAGES / 2
      ? { before: FEW, measured: FEW }
      : { before: WARMING, measured: WARM }),
  })
  return { ms: median(fits), best: Math.min(...fits), beside: median(beside) }
}

export const timeWhenNothingIsDue = (tool: ContextTool, processes: number) =>
  timeOf(tool, { processes, words: FEW_WORDS, limits: ROOMY })
export const timeWhenMuchIsDue = (tool: ContextTool, processes: number) =>
  timeOf(tool, { processes, words: WORDS, limits: LARGE })

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
