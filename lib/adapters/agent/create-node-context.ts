import { AgentContext } from '../../agent/kit/agent-context'
import { checkOptions } from '../../agent/kit/check-options'
import type { ContextOptions } from '../../agent/kit/context-options'
import { kitPolicy } from '../../agent/kit/kit-policy'
import { openSetup } from '../../agent/kit/open-setup'
import { ContextOptionError } from '../../agent/kit/option-error'
import type { Policy } from '../../core/policy/policy'
import { listedMaker } from '../../core/tokens/listed-models'
import type { SummaryChain } from '../../engine/summary/summary-chain'
import { openColdStore } from '../cold/open-cold-store'
import { homePath } from '../files/home-path'
import { fastEstimate } from '../jsonl/fast-estimate'
import { openContextLog } from '../logs/open-context-log'
import { agentMemoryFolder } from '../memory/agent-memory-folder'
import { taskFolder } from '../memory/task-folder'
import { openPromptCache } from '../prompt-cache/open-prompt-cache'
import { openSummaryChain } from '../summarizers/open-summary-chain'
import { asyncCallScope } from './async-call-scope'
import { openSessions } from './open-sessions'

/** Options that may be folders here. */
const ON_DISK = ['cold', 'logs', 'memory', 'sessions', 'workspace', 'tasks'] as const

type OnDisk = (typeof ON_DISK)[number]

/** What a context is made of on Node: the same as elsewhere, and folders in the place of stores. */
export type NodeContextOptions = Omit<ContextOptions, OnDisk | 'summary'> & {
  /** A folder, or a store of your own: `cold: './cold'`. */
  readonly [N in OnDisk]?: ContextOptions[N] | string
} & {
  /** A model that summarises (`'anthropic/claude-haiku-4-5'`, its key from the environment), a function, or a chain. */
  readonly summary?: ContextOptions['summary'] | string
}

/**
 * A context for one conversation with a model: `fit` says which messages to send, `report` takes what they came to. The
 * same as that of `core`, with folders for what is to outlive the process. Without them no file is written, and without
 * `summary` no model is asked.
 * @throws ContextOptionError for an option that is not known or cannot be used; WindowRefused for a window in which the
 * policy lets nothing run
 * @example
 * ```ts
 * import { createContext } from 'plimsoll-agent'
 *
 * const context = createContext({ model: 'claude-sonnet-4-5', cold: './cold', onWarning: console.warn })
 * const { messages: sent } = await context.fit([{ role: 'user', content: 'Which berth is free?' }])
 * ```
 */
export function createNodeContext(options: NodeContextOptions): AgentContext {
  const { given, folders, model } = takeApart(options)
  const { cold, logs, memory, sessions, workspace, tasks } = folders
  const { provider } = given
  const lasting = memory === undefined ? given : { ...given, memory: agentMemoryFolder(memory) }
  const policy = kitPolicy(lasting)
  const clock = { now: given.now ?? Date.now }
  const cache = workspace === undefined ? undefined : openPromptCache({ folder: workspace, policy, clock })
  const chain = given.summary === undefined ? chainFor(policy, model, mainOf(given)) : null
  const opened: ContextOptions = {
    countTokens: fastEstimate,
    ...lasting,
    ...(cold === undefined ? {} : { cold: openColdStore(cold) }),
    ...(logs === undefined ? {} : { logs: openContextLog({ logs: { ...policy.logs, path: logs } }, clock) }),
    ...(sessions === undefined
      ? {}
      : { sessions: openSessions(sessions, { model: given.model, provider, clock }) }),
    ...(tasks === undefined ? {} : { tasks: taskFolder(tasks) }),
    ...(cache === undefined ? {} : { workspace: cache }),
    ...(chain === null ? {} : { summary: chain }),
  }
  return new AgentContext(openSetup(opened, asyncCallScope()), () => cache?.close())
}

type Folders = { readonly [N in OnDisk]?: string }

/** Options as they serve anywhere, checked, and what of them is for Node alone. */
function takeApart(options: NodeContextOptions): {
  readonly given: ContextOptions
  readonly folders: Folders
  readonly model: string | null
} {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) checkOptions(options)
  const folders: { [N in OnDisk]?: string } = {}
  const given: { [name: string]: unknown } = { ...options }
  for (const name of ON_DISK) {
    const folder = given[name]
    if (typeof folder !== 'string') continue
    if (folder.trim() === '')
      throw new ContextOptionError(
        name,
        `\`${name}\` is an empty text: it has to be a folder, a store, or left out.`,
      )
    folders[name] = homePath(folder)
    delete given[name]
  }
  const { summary } = given
  const model = typeof summary === 'string' ? summary : null
  if (model?.trim() === '')
    throw new ContextOptionError(
      'summary',
      '`summary` is an empty text: name a model (provider/model), or leave it out.',
    )
  if (model !== null) delete given.summary
  checkOptions(given)
  return { given, folders, model }
}

/**
 * The model that is named here, else the one that the policy names, and behind it the one that answers where the policy
 * lets it be asked; keys come from the environment.
 */
function chainFor({ summary }: Policy, model: string | null, main: string | null): SummaryChain | null {
  const named = model === null ? summary : { ...summary, model }
  return openSummaryChain({ summary: named }, (name) => process.env[name], main)
}

/** The model that answers, with its provider; null where nothing says who that is. */
function mainOf({ model, provider }: ContextOptions): string | null {
  const server = provider ?? (model.includes('/') ? null : listedMaker(model))
  if (server === null) return model.includes('/') ? model : null
  return model.startsWith(`${server}/`) ? model : `${server}/${model}`
}
