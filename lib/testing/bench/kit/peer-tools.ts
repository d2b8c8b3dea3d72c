import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installClient } from '../../clients/install'
import type { AnyMessage, HistoryForm } from './history-forms'

/** What was asked of each tool: to cut messages to so many tokens. */
export type Limits = { readonly window: number; readonly budget: number }

/** The name of a tool of others, or the folder that ours is installed in. */
export type ToolLoad = { readonly peer: PeerName } | { readonly peer: null; readonly installed: string }

/** A tool that makes a history smaller, as its documentation shows it. */
export type ContextTool = {
  readonly name: string
  /** The npm package and its exact version; null: nothing is installed. */
  readonly package: { readonly name: string; readonly version: string } | null
  /** What an agent writes to use it, besides asking the model. */
  readonly adopt: string
  /** The form in which it is at home. */
  readonly form: HistoryForm
  /** Its folder of installed packages; null: nothing is installed. */
  readonly folder: string | null
  /** How another process finds it. */
  readonly load: ToolLoad
  /** Messages of any form, brought into the form that the tool takes where it has its own. */
  readonly take: (messages: readonly AnyMessage[]) => readonly AnyMessage[]
  readonly cut: (messages: readonly AnyMessage[], limits: Limits) => Promise<readonly AnyMessage[]>
}

const LANGCHAIN = { name: 'langchain', version: '1.5.14' } as const
const LANGCHAIN_CORE = { name: '@langchain/core', version: '1.4.0' } as const
const AI_SDK = { name: 'ai', version: '7.0.173' } as const

const asIs = (messages: readonly AnyMessage[]) => messages

/** About four characters are a token; the same for all tools that have to be given a counter. */
const tokensOf = (messages: readonly AnyMessage[]) =>
  messages.reduce((sum, message) => sum + JSON.stringify(message.content ?? '').length / 4, 0)

type Load = (path: string) => Promise<Record<string, unknown>>
const loaderOf =
  (folder: string): Load =>
  (path) =>
    import(pathToFileURL(join(folder, path)).href)

/** Messages of Chat Completions as objects of LangChain; others as they are, for it to understand or not. */
function langChainTaker(messages: Record<string, unknown>) {
  type Made = new (fields: object) => AnyMessage
  const { HumanMessage, AIMessage, ToolMessage } = messages as Record<string, Made>
  const made = (message: AnyMessage): AnyMessage => {
    const { role, content, tool_calls: calls, tool_call_id } = message
    if (typeof content !== 'string' && content !== null) return message
    if (HumanMessage === undefined || AIMessage === undefined || ToolMessage === undefined) return message
    if (role === 'user') return new HumanMessage({ content })
    if (role === 'tool') return new ToolMessage({ content, tool_call_id })
    const tool_calls = (Array.isArray(calls) ? calls : []).map(
      ({ id, function: { name, arguments: args } }) => ({
        id,
        name,
        args: JSON.parse(args),
      }),
    )
    return new AIMessage({ content: content ?? '', tool_calls })
  }
  return (all: readonly AnyMessage[]) => all.map(made)
}

async function trimMessages(): Promise<ContextTool> {
  const folder = installClient(LANGCHAIN_CORE.name, LANGCHAIN_CORE.version)
  const messages = await loaderOf(folder)('dist/messages/index.js')
  const trim = messages.trimMessages as (
    messages: readonly AnyMessage[],
    options: object,
  ) => Promise<readonly AnyMessage[]>
  return {
    name: 'LangChain `trimMessages`',
    package: LANGCHAIN_CORE,
    adopt: `import { trimMessages } from '@langchain/core/messages'
const sent = await trimMessages(messages, {
  maxTokens: 100_000,
  tokenCounter: countTokens, // yours
  strategy: 'last',
  startOn: 'human',
  includeSystem: true,
})`,
    form: 'Chat Completions',
    folder: join(folder, '..', '..'),
    load: { peer: 'trim' },
    take: langChainTaker(messages),
    cut: (all, { budget }) =>
      trim(all, {
        maxTokens: budget,
        tokenCounter: tokensOf,
        strategy: 'last',
        startOn: 'human',
        includeSystem: true,
      }),
  }
}

type Middleware = {
  readonly beforeModel: (
    state: object,
    runtime: object,
  ) => Promise<{ readonly messages: readonly AnyMessage[] } | undefined>
}

async function summarization(): Promise<ContextTool> {
  const folder = installClient(LANGCHAIN.name, LANGCHAIN.version)
  const load = loaderOf(folder)
  const messages = await load('../@langchain/core/dist/messages/index.js')
  const { FakeListChatModel } = await load('../@langchain/core/dist/utils/testing/index.js')
  const { summarizationMiddleware } = await load('dist/index.js')
  const Model = FakeListChatModel as new (fields: object) => object
  const make = summarizationMiddleware as (options: object) => Middleware
  const model = new Model({ responses: ['The ships lie at their berths.'] })
  return {
    name: 'LangChain `summarizationMiddleware`',
    package: LANGCHAIN,
    adopt: `import { createAgent, summarizationMiddleware } from 'langchain'
const summarize = summarizationMiddleware({
  model: 'anthropic:claude-haiku-4-5',
  trigger: { tokens: 100_000 },
  keep: { messages: 20 },
})
const agent = createAgent({ model, tools, middleware: [summarize] })`,
    form: 'Chat Completions',
    folder: join(folder, '..'),
    load: { peer: 'summarization' },
    take: langChainTaker(messages),
    cut: async (all, { budget }) => {
      const { beforeModel } = make({ model, trigger: { tokens: budget }, keep: { messages: 20 } })
      const changed = await beforeModel({ messages: all }, { context: {} })
      return changed === undefined ? all : changed.messages.slice(1)
    },
  }
}

async function pruneMessages(): Promise<ContextTool> {
  const folder = installClient(AI_SDK.name, AI_SDK.version)
  const { pruneMessages: prune } = await loaderOf(folder)('dist/index.js')
  const call = prune as (options: object) => readonly AnyMessage[]
  return {
    name: 'AI SDK `pruneMessages`',
    package: AI_SDK,
    adopt: `import { pruneMessages } from 'ai'
const sent = pruneMessages({
  messages,
  reasoning: 'before-last-message',
  toolCalls: 'before-last-2-messages',
  emptyMessages: 'remove',
})`,
    form: 'AI SDK',
    folder: join(folder, '..'),
    load: { peer: 'prune' },
    take: asIs,
    cut: async (messages) =>
      call({
        messages,
        reasoning: 'before-last-message',
        toolCalls: 'before-last-2-messages',
        emptyMessages: 'remove',
      }),
  }
}

const KEPT_TOOL_USES = 3
const CLEARED = '[cleared]'

/**
 * The rules as Anthropic publishes them for `clear_tool_uses_20250919`, with their defaults but for the trigger: above
 * it all results but those of the last three calls are replaced by a short text. The API does it, so that nothing can
 * be run here.
 */
const contextEditing: ContextTool = {
  name: 'Anthropic context editing (computed from its documentation)',
  package: null,
  adopt: `betas: ['context-management-2025-06-27'],
context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },`,
  form: 'Anthropic Messages',
  folder: null,
  load: { peer: 'editing' },
  take: asIs,
  cut: async (messages, { budget }) => {
    if (tokensOf(messages) <= budget) return messages
    const uses = messages.flatMap(({ content }) =>
      Array.isArray(content) ? content.filter(({ type }) => type === 'tool_use').map(({ id }) => id) : [],
    )
    const kept = new Set(uses.slice(-KEPT_TOOL_USES))
    const cleared = (block: AnyMessage) =>
      block.type !== 'tool_result' || kept.has(block.tool_use_id) ? block : { ...block, content: CLEARED }
    return messages.map((message) =>
      Array.isArray(message.content) ? { ...message, content: message.content.map(cleared) } : message,
    )
  },
}

/** What others offer, each by its own function; fetched from npm once, pinned, each into a separate folder. */
export const PEER_TOOLS: { readonly [N in PeerName]: () => Promise<ContextTool> } = {
  trim: trimMessages,
  summarization,
  prune: pruneMessages,
  editing: async () => contextEditing,
}

type PeerName = 'trim' | 'summarization' | 'prune' | 'editing'
