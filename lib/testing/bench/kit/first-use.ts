import { historyMessages } from './history-forms'
import { installedTool } from './own-tool'
import { type Limits, PEER_TOOLS, type ToolLoad } from './peer-tools'
import { type History, longHistory } from './random-histories'

export type FirstUseAsked = {
  readonly load: ToolLoad
  readonly messages: number
  /** Of each result. */
  readonly words: number
  readonly limits: Limits
  /** Between the fit and the first search for what has left. Milliseconds. */
  readonly pause: number
}

/** What one use took in a process that did nothing before but load the tool and make the messages. Milliseconds. */
export type FirstUse = {
  readonly fit: number
  /** One `JSON.stringify` of the messages. */
  readonly beside: number
  /** So many messages there were. */
  readonly messages: number
  /** What else was measured of our own tool; null for others. */
  readonly own: {
    /** Making the context. */
    readonly open: number
    /** The next request, with two more messages. */
    readonly next: number
    /** The first search, and the one after it; null where nothing has left. */
    readonly search: { readonly pause: number; readonly first: number; readonly second: number } | null
  } | null
}

/** Uses a tool once, for a process that was started for that. */
export async function firstUse(asked: FirstUseAsked): Promise<FirstUse> {
  const { load, limits } = asked
  const history = longHistory(asked.messages, asked.words)
  if (load.peer === null) return firstOwnUse(load.installed, history, asked)
  const tool = await PEER_TOOLS[load.peer]()
  const messages = historyMessages(tool.form, history)
  const taken = tool.take(messages)
  const beside = await timed(async () => JSON.stringify(messages))
  const cut = await timed(() => tool.cut(taken, limits))
  return { fit: cut.ms, beside: beside.ms, messages: messages.length, own: null }
}

async function firstOwnUse(
  installed: string,
  history: History,
  { limits, pause }: FirstUseAsked,
): Promise<FirstUse> {
  const tool = await installedTool(installed)
  const messages = historyMessages(tool.form, history)
  const beside = await timed(async () => JSON.stringify(messages))
  const open = await timed(async () => tool.open(limits.window))
  const context = open.value
  const fit = await timed(() => context.fit(messages))
  const results = history.flatMap(({ steps }) => steps.flatMap(({ results: all }) => all))
  const isGone = fit.value.messages.length < messages.length
  if (isGone) await new Promise((resolve) => setTimeout(resolve, pause))
  const find = async (place: number) => {
    const said = results[place]?.result ?? ''
    const { ms, value } = await timed(() => context.search(said.split(' ').slice(-6).join(' '), 5))
    if (!value.some(({ text }) => text.includes(said))) throw new Error(`Result ${place} was not found`)
    return ms
  }
  const search = isGone ? { pause, first: await find(7), second: await find(70) } : null
  messages.push(
    { role: 'user', content: 'And where does the last ship lie?' },
    { role: 'assistant', content: 'At berth 9.' },
  )
  const next = await timed(() => context.fit(messages))
  const own = { open: open.ms, next: next.ms, search }
  return { fit: fit.ms, beside: beside.ms, messages: messages.length - 2, own }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const start = performance.now()
  const value = await work()
  return { ms: performance.now() - start, value }
}
