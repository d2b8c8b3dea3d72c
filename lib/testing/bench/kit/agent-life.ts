import { historyMessages } from './history-forms'
import { installedTool } from './own-tool'
import { longHistory } from './random-histories'

export type LifeAsked = {
  /** Folder that the package is installed in. */
  readonly installed: string
  readonly window: number
  /** Of each result. */
  readonly words: number
  /** The life ends when so many compactions took place. */
  readonly compactions: number
}

/** What fits took while a conversation grew in one process, from its first message on. Milliseconds. */
export type AgentLife = {
  /** The fits that compacted, oldest first, and the last ones before each of them, at which nothing was due. */
  readonly compactions: readonly {
    readonly ms: number
    readonly messages: number
    readonly idle: readonly number[]
  }[]
}

/** So many fits before a compaction are looked at: some 400 messages. */
const LAST_FITS = 200
/** A conversation that was compacted before is fitted so rarely, in messages, until it is nearly as long again. */
const SELDOM = 60
/** No life is longer than this. */
const MOST_MESSAGES = 20_000

/**
 * Lives as an agent does: before each request (a question, a result) the whole list is fitted, until much is due; then it
 * goes on. No model is asked, so that there is no pause in which anything could be made ready.
 */
export async function agentLife({ installed, window, words, compactions }: LifeAsked): Promise<AgentLife> {
  const tool = await installedTool(installed)
  const all = historyMessages(tool.form, longHistory(MOST_MESSAGES, words))
  const context = tool.open(window)
  const list: (typeof all)[number][] = []
  const due: { ms: number; messages: number; idle: readonly number[] }[] = []
  let fits: number[] = []
  /** Of what was sent last, what is in the list behind it. */
  let held = 0
  for (const message of all) {
    list.push(message)
    held += 1
    if (message.role !== 'user' || isPassedOver(due[0]?.messages, held)) continue
    const start = performance.now()
    const { messages, done } = await context.fit(list)
    const ms = performance.now() - start
    if (!done.steps.includes('compact')) {
      fits.push(ms)
      continue
    }
    due.push({ ms, messages: held, idle: fits.slice(-LAST_FITS) })
    fits = []
    held = messages.length
    if (due.length === compactions) return { compactions: due }
  }
  throw new Error(`${due.length} compactions took place in ${list.length} messages, not ${compactions}`)
}

/** Saves time: what is measured are the last fits before a compaction, which is due at about the length of the first. */
function isPassedOver(first: number | undefined, held: number): boolean {
  return first !== undefined && held < first - 4 * LAST_FITS && held % SELDOM !== 0
}
