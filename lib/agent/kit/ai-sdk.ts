import { isOverflowError } from '../../core/compaction/overflow-error'
import { isObject } from '../../core/transcript/json'
import { reasonOf } from '../../core/words/reason-of'
import type { AgentContext } from './agent-context'

/** What of a call's parameters is read here; every version of the AI SDK has them. */
type CallParams = {
  readonly prompt: readonly object[]
  readonly tools?: unknown
  readonly abortSignal?: AbortSignal
}

type Model<R> = { doGenerate(params: unknown): PromiseLike<R>; doStream(params: unknown): PromiseLike<R> }

/** Works around the calls of a model, as `wrapLanguageModel` of the AI SDK takes it. */
export type ContextMiddleware = {
  readonly specificationVersion: 'v3'
  readonly transformParams: <P extends object>(call: { readonly params: P }) => Promise<P>
  readonly wrapGenerate: <R>(call: {
    readonly doGenerate: () => PromiseLike<R>
    readonly params: object
    readonly model: object
  }) => Promise<R>
  readonly wrapStream: <R extends object>(call: {
    readonly doStream: () => PromiseLike<R>
    readonly params: object
    readonly model: object
  }) => Promise<R>
}

/**
 * Keeps every request of an AI SDK model within its window, in loops of tools as well: fits the prompt, reports the
 * usage, and when the provider finds the prompt too long all the same, compacts and asks once more.
 * @example
 * ```ts
 * import { type ContextMiddleware, contextMiddleware, createContext } from 'plimsoll-agent'
 *
 * // import { wrapLanguageModel } from 'ai'
 * declare function wrapLanguageModel(given: { model: object; middleware: ContextMiddleware }): object
 * declare const anthropic: (model: string) => object
 * const context = createContext({ model: 'claude-sonnet-4-5' })
 * const model = wrapLanguageModel({ model: anthropic('claude-sonnet-4-5'), middleware: contextMiddleware(context) })
 * ```
 */
export function contextMiddleware(context: AgentContext): ContextMiddleware {
  /** The parameters as they came, of those that were fitted. */
  const asked = new WeakMap<object, CallParams>()
  const fitted = async (params: CallParams) => {
    const { prompt, tools, abortSignal: signal } = params
    const { messages, system } = await context.fit(prompt, { tools, signal })
    const front = system === '' ? [] : [{ role: 'system', content: system }]
    const next = { ...params, prompt: [...front, ...messages.map(inParts)] }
    asked.set(next, params)
    return next
  }
  /** Once more with less, where a provider refuses what was thought to fit. */
  const retried = async <R>(error: unknown, params: object, ask: (params: unknown) => PromiseLike<R>) => {
    const before = asked.get(params)
    if (before === undefined || !isOverflowError(reasonOf(error))) throw error
    const { kind } = await context.compact({ signal: before.abortSignal })
    if (kind !== 'compacted') throw error
    return ask(await fitted(before))
  }
  return {
    specificationVersion: 'v3',
    transformParams: async ({ params }) =>
      (await fitted(params as object as CallParams)) as object as typeof params,
    wrapGenerate: async <R>({
      doGenerate,
      params,
      model,
    }: Parameters<ContextMiddleware['wrapGenerate']>[0]) => {
      const ask = (next: unknown) => (model as Model<R>).doGenerate(next)
      const result = await attempt<R>(doGenerate as () => PromiseLike<R>, (error) =>
        retried(error, params, ask),
      )
      if (isObject(result)) note(context, result.usage)
      return result
    },
    wrapStream: async <R extends object>({
      doStream,
      params,
      model,
    }: Parameters<ContextMiddleware['wrapStream']>[0]) => {
      const ask = (next: unknown) => (model as Model<R>).doStream(next)
      const result = await attempt<R>(doStream as () => PromiseLike<R>, (error) =>
        retried(error, params, ask),
      )
      const { stream } = result as { readonly stream?: unknown }
      return stream instanceof ReadableStream
        ? { ...result, stream: stream.pipeThrough(noting(context)) }
        : result
    },
  }
}

async function attempt<R>(work: () => PromiseLike<R>, otherwise: (error: unknown) => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    return otherwise(error)
  }
}

/** A call that ends says what it took. */
function noting(context: AgentContext): TransformStream<unknown, unknown> {
  return new TransformStream({
    transform: (part, controller) => {
      if (isObject(part) && part.type === 'finish') note(context, part.usage)
      controller.enqueue(part)
    },
  })
}

/** An answer is never lost over how it was counted. */
function note(context: AgentContext, usage: unknown): void {
  try {
    if (isObject(usage)) context.report(usage)
  } catch {
    // A provider that counts in another way: the estimate goes on.
  }
}

/** What was made here has a text for its content; a model's prompt has parts. */
function inParts(message: object): object {
  const { role, content } = message as { readonly role?: unknown; readonly content?: unknown }
  return role !== 'system' && typeof content === 'string'
    ? { ...message, content: [{ type: 'text', text: content }] }
    : message
}

/** What of a step's options is read here. */
type StepOptions<M extends object> = {
  readonly messages: readonly M[]
  readonly steps: readonly { readonly usage?: unknown }[]
  readonly instructions?: unknown
  readonly initialInstructions?: unknown
}

/** What a step is to use in the place of its settings. */
export type ContextStep<M> = { messages: M[]; instructions?: string }

/**
 * The same for `prepareStep` of `generateText`, `streamText` and agents, where the model is not to be wrapped: fits the
 * messages before each step and reports what the last one took. Where the context has files, tasks or a search of
 * memory, the instructions become one text with them in front.
 * @example
 * ```ts
 * import { contextPrepareStep, createContext } from 'plimsoll-agent'
 *
 * // import { generateText } from 'ai'
 * declare function generateText(given: { prompt: string; prepareStep: object }): Promise<{ text: string }>
 * const context = createContext({ model: 'claude-sonnet-4-5' })
 * const { text } = await generateText({ prompt: 'Which berth is free?', prepareStep: contextPrepareStep(context) })
 * ```
 */
export function contextPrepareStep(
  context: AgentContext,
): <M extends object>(options: StepOptions<M>) => Promise<ContextStep<M>> {
  return async ({ messages, steps, instructions, initialInstructions = instructions }) => {
    note(context, steps.at(-1)?.usage)
    const { messages: fitted, system } = await context.fit(messages, { system: initialInstructions })
    if (system === '') return { messages: fitted }
    return {
      messages: fitted,
      instructions: [system, textOf(initialInstructions)].filter(Boolean).join('\n\n'),
    }
  }
}

/** Instructions as the AI SDK takes them: a text, a system message, or several. */
function textOf(instructions: unknown): string {
  if (typeof instructions === 'string') return instructions
  if (Array.isArray(instructions)) return instructions.map(textOf).join('\n\n')
  return isObject(instructions) && typeof instructions.content === 'string' ? instructions.content : ''
}
