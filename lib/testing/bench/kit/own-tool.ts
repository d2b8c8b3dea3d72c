import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPackedAgent } from '../../packed-agent'
import type { AnyMessage } from './history-forms'
import type { ContextTool } from './peer-tools'

/** A context of the package, as far as it is measured. */
type OwnContext = {
  fit(messages: readonly AnyMessage[]): Promise<{
    readonly messages: readonly AnyMessage[]
    readonly done: { readonly steps: readonly string[] }
  }>
  search(words: string, limit: number): Promise<readonly { readonly text: string }[]>
}

export type OwnTool = ContextTool & {
  readonly open: (window: number) => OwnContext
}

const MODEL = 'claude-sonnet-4-5'

/** The library, packed and installed as an agent has it. */
export function ownTool(root: string, folder: string): Promise<OwnTool> {
  return installedTool(installPackedAgent(root, folder))
}

/** The same, installed already. @param installed folder of the package */
export async function installedTool(installed: string): Promise<OwnTool> {
  const { version } = await import(pathToFileURL(join(installed, 'package.json')).href, {
    with: { type: 'json' },
  }).then(({ default: manifest }) => manifest)
  const { createContext } = await import(pathToFileURL(join(installed, 'index.js')).href)
  const open = (window: number): OwnContext => createContext({ model: MODEL, window })
  return {
    name: '`plimsoll-agent`',
    package: { name: 'plimsoll-agent', version },
    adopt: `import { createContext } from 'plimsoll-agent'
const context = createContext({ model: 'claude-sonnet-4-5' })
const { messages: sent } = await context.fit(messages)
context.report(answer.usage)`,
    form: 'Anthropic Messages',
    folder: join(installed, '..'),
    load: { peer: null, installed },
    take: (messages) => messages,
    cut: async (messages, { window }) => (await open(window).fit(messages)).messages,
    open,
  }
}
