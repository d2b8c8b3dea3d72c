import * as z from 'zod'

/** The few settings of a runtime's configuration that say where and how to read. Secrets are never taken over. */
export type RuntimeConfig = {
  /** `session.store`: path of `sessions.json`, may hold `{agentId}` and `~`. */
  readonly sessionStore?: string
  /** `agents.list[].id`. */
  readonly agentIds: readonly string[]
  readonly windows: ModelWindows
}

/** Window in tokens by model id and by `provider/id`. */
export type ModelWindows = { readonly [model: string]: number }

export const EMPTY_CONFIG: RuntimeConfig = { agentIds: [], windows: {} }

const tokens = z.number().finite().positive().optional().catch(undefined)
const members = z.array(z.unknown()).catch([])

const modelSchema = z.object({ id: z.string().min(1), contextWindow: tokens, contextTokens: tokens })
const providersSchema = z.record(z.string(), z.object({ models: members }).catch({ models: [] })).catch({})
const agentSchema = z.object({ id: z.string().min(1) })
const configSchema = z.object({
  session: z.object({ store: z.string().min(1).optional().catch(undefined) }).catch({}),
  agents: z
    .object({
      list: members,
      defaults: z.object({ contextTokens: tokens }).catch({}),
    })
    .catch({ list: [], defaults: {} }),
  models: z.object({ providers: providersSchema }).catch({ providers: {} }),
})

/** Reads a parsed `openclaw.json`; whatever is absent or malformed is left out. */
export function readRuntimeConfig(value: unknown): RuntimeConfig {
  const parsed = configSchema.safeParse(value)
  if (!parsed.success) return EMPTY_CONFIG
  const { session, agents, models } = parsed.data
  return {
    sessionStore: session.store,
    agentIds: agents.list.flatMap((agent) => agentSchema.safeParse(agent).data?.id ?? []),
    windows: windowsOf(models.providers, agents.defaults.contextTokens),
  }
}

/** Reads a parsed `models.json` of an OpenClaw agent or of pi: `providers.*.models[]`. */
export function readModelCatalogue(value: unknown): ModelWindows {
  const parsed = z.object({ providers: providersSchema }).safeParse(value)
  return parsed.success ? windowsOf(parsed.data.providers, undefined) : {}
}

/** @param cap `agents.defaults.contextTokens`, an upper bound that early releases put on every window. */
function windowsOf(providers: z.output<typeof providersSchema>, cap: number | undefined): ModelWindows {
  // Without a prototype: a model may be called anything.
  const windows: { [model: string]: number } = Object.create(null)
  for (const [provider, { models }] of Object.entries(providers)) {
    for (const item of models) {
      const model = modelSchema.safeParse(item).data
      if (model === undefined) continue
      const window = Math.min(
        model.contextWindow ?? Number.POSITIVE_INFINITY,
        model.contextTokens ?? Number.POSITIVE_INFINITY,
      )
      if (window === Number.POSITIVE_INFINITY) continue
      const capped = Math.min(window, cap ?? window)
      windows[`${provider}/${model.id}`] ??= capped
      windows[model.id] ??= capped
    }
  }
  return windows
}
