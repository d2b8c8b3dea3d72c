import * as z from 'zod'
import type { ContextBudgetStatus, IndexEntry, SystemPromptReport } from '../session-index'

/** A field that a release may lack or write otherwise: then it is absent, and the rest of the entry still counts. */
const text = z.string().min(1).optional().catch(undefined)
const count = z.number().finite().nonnegative().optional().catch(undefined)
const size = z.number().finite().nonnegative().catch(0)
const flag = z.boolean().optional().catch(undefined)

/** A list of which malformed members are left out. */
function listOf<T extends z.ZodType>(member: T) {
  return z
    .array(z.unknown())
    .catch([])
    .transform((items): z.output<T>[] => items.flatMap((item) => member.safeParse(item).data ?? []))
}

const reportSchema = z.object({
  generatedAt: count,
  systemPrompt: z.object({ chars: z.number().finite().nonnegative(), projectContextChars: size }),
  injectedWorkspaceFiles: listOf(
    z.object({
      name: z.string(),
      path: text,
      missing: z.boolean().catch(false),
      rawChars: size,
      injectedChars: z.number().finite().nonnegative().nullable().catch(null),
      truncated: z.boolean().nullable().catch(null),
    }),
  ),
  skills: z
    .object({ promptChars: size, entries: listOf(z.object({ name: z.string(), blockChars: size })) })
    .catch({ promptChars: 0, entries: [] }),
  tools: z
    .object({
      listChars: size,
      schemaChars: size,
      entries: listOf(z.object({ name: z.string(), schemaChars: size, summaryChars: size })),
    })
    .catch({ listChars: 0, schemaChars: 0, entries: [] }),
})

const budgetSchema = z.object({
  updatedAt: count,
  route: text,
  estimatedPromptTokens: count,
  contextTokenBudget: count,
  reserveTokens: count,
  effectiveReserveTokens: count,
  remainingPromptBudgetTokens: z.number().finite().optional().catch(undefined),
  overflowTokens: z.number().finite().optional().catch(undefined),
})

const checkpointSchema = z.object({
  reason: z.enum(['manual', 'auto-threshold', 'overflow-retry', 'timeout-retry']),
  postCompaction: z.object({ entryId: z.string().min(1) }),
})

const channelHolder = z.object({ channel: text }).optional().catch(undefined)

const entrySchema = z.object({
  sessionId: text,
  updatedAt: count,
  archivedAt: count,
  sessionFile: text,
  label: text,
  displayName: text,
  chatType: text,
  channel: text,
  lastChannel: text,
  deliveryContext: channelHolder,
  delivery: channelHolder,
  status: text,
  spawnedBy: text,
  agentHarnessId: text,
  cliSessionBindings: z.record(z.string(), z.unknown()).catch({}),
  cliSessionIds: z.record(z.string(), z.unknown()).catch({}),
  claudeCliSessionId: text,
  modelProvider: text,
  model: text,
  contextTokens: count,
  totalTokens: count,
  totalTokensFresh: flag,
  compactionCount: count,
  systemPromptReport: reportSchema.optional().catch(undefined),
  contextBudgetStatus: budgetSchema.optional().catch(undefined),
  compactionCheckpoints: listOf(checkpointSchema),
  previousSessionId: text,
  usageFamilySessionIds: listOf(z.string()),
})

/**
 * Reduces one value of `sessions.json`, or one `entry_json`, to what we use. Null when it is not an object.
 *
 * @param key session key; names the channel when the entry does not.
 */
export function readIndexEntry(key: string, value: unknown): IndexEntry | null {
  return readEntry(key, value)?.entry ?? null
}

/** The index of one agent's sessions. */
export type SessionIndex = {
  readonly byKey: ReadonlyMap<string, IndexEntry>
  /** The key a session id belongs to, also for sessions that the key has left behind. */
  readonly keyOfSession: ReadonlyMap<string, string>
  /** Base name of the transcript file an entry names, to its key. */
  readonly keyOfFile: ReadonlyMap<string, string>
}

export const EMPTY_INDEX: SessionIndex = { byKey: new Map(), keyOfSession: new Map(), keyOfFile: new Map() }

/** Reads a whole `sessions.json`. Null when it is not an object; members that are not entries are left out. */
export function readSessionIndex(value: unknown): SessionIndex | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const byKey = new Map<string, IndexEntry>()
  const keyOfSession = new Map<string, string>()
  const keyOfFile = new Map<string, string>()
  const former: (readonly [string, string])[] = []
  for (const [key, member] of Object.entries(value)) {
    const read = readEntry(key, member)
    if (read === null) continue
    byKey.set(key, read.entry)
    if (read.entry.sessionId !== undefined) keyOfSession.set(read.entry.sessionId, key)
    if (read.entry.sessionFile !== undefined) keyOfFile.set(baseName(read.entry.sessionFile), key)
    for (const id of read.formerIds) former.push([id, key])
  }
  // A session's current key counts more than another key that once held it.
  for (const [id, key] of former) if (!keyOfSession.has(id)) keyOfSession.set(id, key)
  return { byKey, keyOfSession, keyOfFile }
}

function readEntry(key: string, value: unknown): { entry: IndexEntry; formerIds: readonly string[] } | null {
  const parsed = entrySchema.safeParse(value)
  if (!parsed.success) return null
  const raw = parsed.data
  const entry: IndexEntry = {
    sessionId: raw.sessionId,
    updatedAt: raw.updatedAt,
    archivedAt: raw.archivedAt,
    sessionFile: raw.sessionFile,
    label: raw.label,
    displayName: raw.displayName,
    chatType: raw.chatType,
    channel:
      raw.channel ??
      raw.lastChannel ??
      raw.deliveryContext?.channel ??
      raw.delivery?.channel ??
      channelOfKey(key),
    status: raw.status,
    ...(raw.spawnedBy !== undefined && { spawnedBy: raw.spawnedBy }),
    ...(raw.agentHarnessId !== undefined && { harness: raw.agentHarnessId }),
    ...harnessSessionsOf(raw),
    provider: raw.modelProvider,
    model: raw.model,
    contextWindow: raw.contextTokens,
    totalTokens: raw.totalTokens,
    totalTokensFresh: raw.totalTokensFresh,
    compactionCount: raw.compactionCount,
    report: raw.systemPromptReport && reduceReport(raw.systemPromptReport),
    budget: raw.contextBudgetStatus satisfies ContextBudgetStatus | undefined,
    ...(raw.compactionCheckpoints.length === 0
      ? {}
      : {
          recorded: raw.compactionCheckpoints.map(({ reason, postCompaction }) => ({
            ...{ entryId: postCompaction.entryId, reason },
          })),
        }),
  }
  const formerIds =
    raw.previousSessionId === undefined
      ? raw.usageFamilySessionIds
      : [...raw.usageFamilySessionIds, raw.previousSessionId]
  return { entry, formerIds }
}

const bindingSchema = z.object({ sessionId: z.string().min(1) })

/** Ids of the session in other harnesses; the newer of the forms in which releases write them counts. */
function harnessSessionsOf(raw: z.output<typeof entrySchema>): Pick<IndexEntry, 'harnessSessions'> {
  const found = new Map<string, string>()
  if (raw.claudeCliSessionId !== undefined) found.set('claude-cli', raw.claudeCliSessionId)
  for (const [harness, id] of Object.entries(raw.cliSessionIds))
    if (typeof id === 'string' && id !== '') found.set(harness, id)
  for (const [harness, binding] of Object.entries(raw.cliSessionBindings)) {
    const read = bindingSchema.safeParse(binding)
    if (read.success) found.set(harness, read.data.sessionId)
  }
  return found.size === 0 ? {} : { harnessSessions: Object.fromEntries(found) }
}

function reduceReport(raw: z.output<typeof reportSchema>): SystemPromptReport {
  return {
    generatedAt: raw.generatedAt,
    systemPromptChars: raw.systemPrompt.chars,
    projectContextChars: raw.systemPrompt.projectContextChars,
    skillsChars: raw.skills.promptChars,
    toolListChars: raw.tools.listChars,
    toolSchemaChars: raw.tools.schemaChars,
    files: raw.injectedWorkspaceFiles,
    skills: raw.skills.entries.map(({ name, blockChars }) => ({ name, chars: blockChars })),
    tools: raw.tools.entries,
  }
}

/** Third parts of a session key that name no channel (lib/docs/openclaw.md#session-keys). */
const NOT_CHANNELS = new Set(['main', 'subagent', 'dashboard', 'explicit', 'cron', 'hook', 'acp'])

/** The channel in a session key such as `agent:main:telegram:direct:42`; undefined when it names none. */
export function channelOfKey(key: string): string | undefined {
  const [head, , channel, ...rest] = key.split(':')
  if (head !== 'agent' || channel === undefined || rest.length === 0) return undefined
  return channel === '' || NOT_CHANNELS.has(channel) ? undefined : channel
}

/** The agent in a session key such as `agent:main:main`; null when it names none. */
export function agentOfKey(key: string): string | null {
  const [head, agent] = key.split(':')
  return head === 'agent' && agent ? agent : null
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
