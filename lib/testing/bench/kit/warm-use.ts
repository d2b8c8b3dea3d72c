import type { FirstUseAsked } from './first-use'
import { historyMessages } from './history-forms'
import { installedTool } from './own-tool'
import { PEER_TOOLS } from './peer-tools'
import { longHistory } from './random-histories'

type WarmUseAsked = Omit<FirstUseAsked, 'pause'> & {
  /** Uses before the first that is measured, and those that are. */
  readonly before: number
  readonly measured: number
}

/** What uses took in a process that has done the same before, each over messages made anew. Milliseconds. */
export type WarmUse = { readonly fits: readonly number[]; readonly beside: readonly number[] }

/** Between two uses: what goes on behind an answer has its time, as it has while a model is asked. Milliseconds. */
const PAUSE = 400

/** Uses a tool again and again, as a server does that keeps the contexts of many conversations. */
export async function warmUse({ load, ...asked }: WarmUseAsked): Promise<WarmUse> {
  const tool = await (load.peer === null ? installedTool(load.installed) : PEER_TOOLS[load.peer]())
  const history = longHistory(asked.messages, asked.words)
  const [fits, beside]: [number[], number[]] = [[], []]
  for (let use = 0; use < asked.before + asked.measured; use++) {
    const messages = tool.take(historyMessages(tool.form, history))
    const start = performance.now()
    await tool.cut(messages, asked.limits)
    const ms = performance.now() - start
    const said = performance.now()
    JSON.stringify(messages)
    const text = performance.now() - said
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
    if (use < asked.before) continue
    fits.push(ms)
    beside.push(text)
  }
  return { fits, beside }
}
