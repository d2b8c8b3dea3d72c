import { effectivePolicy, type LabelledFile, type PolicySubject } from '../effective'
import type { ProviderParams } from '../formats/provider-params'
import type { PolicyPatch } from '../policy'
import { type PolicyLayer, type ResolvedPolicy, resolvePolicy } from '../resolve'
import {
  type ClaudeCodeCompaction,
  claudeCodeCompaction,
  isClaudeCodeRelease,
  NEWEST_CLAUDE_CODE,
} from './claude-code-rules'
import { type CodexCompaction, codexCompaction } from './codex-rules'
import { type OpenClawRules, openClawRelease, type StatedVersion } from './openclaw-release'
import { CLAUDE_CODE_BASE, CODEX_BASE, OPENCLAW_BASES, OPENCODE_BASE, PI_BASE } from './runtime-base'

/** Whose context management a session is under: a runtime's own, or the library's in an agent that embeds it. */
export type RuntimeOwner = 'openclaw' | 'pi' | 'claude-code' | 'codex' | 'opencode' | 'library'

/** What is known of the runtime that a store belongs to. */
export type RuntimeStore = {
  readonly owner: RuntimeOwner
  readonly era: 'jsonl' | 'sqlite'
  /** The version as the runtime states it; null where it states none. */
  readonly version: StatedVersion | null
  /** The runtime's own settings files, weakest first. */
  readonly files: readonly LabelledFile[]
  /** Our own file: what it says of models' windows counts for every runtime, and all of it for the library. */
  readonly own: LabelledFile | null
}

/**
 * What a session adds: who it is, who answers it, and when (milliseconds) it was used last, or a moment in question.
 */
export type RuntimeSession = PolicySubject & { readonly provider: string | null; readonly at: number | null }

/** By which rules a runtime compacts. */
export type RuntimeRules = OpenClawRules | 'pi' | 'claude-code' | 'codex' | 'opencode' | 'library'

/** What a runtime is, as far as it is known. Plain data, as JSON shows it. */
export type RuntimeInfo = {
  readonly kind: RuntimeOwner
  /** As the runtime states it; null: it states none. */
  readonly version: string | null
  readonly rules: RuntimeRules
  /** For a reader: `OpenClaw 2026.9.6`, `pi`. */
  readonly name: string
  /** What is assumed of version and settings, and why. Empty: nothing is. */
  readonly assumed: readonly string[]
  /** Labels of the settings files that count, weakest first. */
  readonly files: readonly string[]
  /** Who compacts on its side besides, or null. */
  readonly provider: 'openai' | 'anthropic' | null
  /**
   * Tokens at which it is asked to, by the settings; null: they name no number, and the share of the release counts.
   */
  readonly providerThreshold: number | null
  /** How Claude Code or Codex compacts, by its release and settings; null for other runtimes. */
  readonly client: ClientCompaction | null
}

export type ClientCompaction = ClaudeCodeCompaction | CodexCompaction

/** What the runtime that owns a session really does, with the origin of each value. Never a draft. */
export type RuntimePolicy = ResolvedPolicy & { readonly runtime: RuntimeInfo }

/**
 * From this release on the provider's own compaction is on by default for Anthropic as well
 * (lib/docs/openclaw.md#provider-checkpoints).
 */
const ANTHROPIC_DEFAULT_SINCE = 202_610_02

/**
 * What the runtime of a session really does: the rules of its release, and its own settings files on top. What our own
 * settings file says of policy is a draft and counts for nothing here, save for the windows of models, which are facts.
 */
export function runtimePolicy(store: RuntimeStore, session: RuntimeSession): RuntimePolicy {
  if (store.owner === 'library') return libraryPolicy(store, session)
  const base = baseOf(store, session)
  const layers: PolicyLayer[] = [
    { level: 'preset', label: base.name, patch: base.patch },
    ...windowsOf(store.own),
    ...store.files.map(
      ({ label, file }): PolicyLayer => ({ level: 'store', label, patch: heeded(base.rules, file.patch) }),
    ),
  ]
  const resolved = resolvePolicy(layers)
  const params = paramsOf(store, session)
  const provider = providerOf(base, session.provider, params)
  const threshold =
    provider === 'anthropic' ? params.anthropicCompactThreshold : params.responsesCompactThreshold
  return {
    ...resolved,
    runtime: {
      kind: store.owner,
      version: base.version,
      rules: base.rules,
      name: base.name,
      assumed: [...base.assumed, ...assumedOf(store, session, resolved, provider)],
      files: store.files.map(({ label }) => label),
      provider,
      providerThreshold: provider === null ? null : (threshold ?? null),
      client: base.client ?? null,
    },
  }
}

type Base = Pick<RuntimeInfo, 'version' | 'rules' | 'name' | 'assumed'> & {
  readonly patch: PolicyPatch
  readonly client?: ClientCompaction
}

function baseOf(store: RuntimeStore, session: RuntimeSession): Base {
  switch (store.owner) {
    case 'pi':
      return piBase(store)
    case 'claude-code':
      return claudeCodeBase(store, session)
    case 'codex':
      return codexBase(store)
    case 'opencode':
      return OPENCODE
    default:
      return openClawBase(store, session)
  }
}

const OPENCODE: Base = {
  ...{ version: null, rules: 'opencode', name: 'OpenCode', patch: OPENCODE_BASE },
  assumed: [
    'the settings of OpenCode are not read; its defaults are taken',
    'the line is that of its newest release that is known',
  ],
}

/** What may say otherwise and is not looked at: a transcript alone names the folder of a project. */
const PROJECT_OF_CLAUDE_CODE =
  '.claude/settings.json and .claude/settings.local.json of the project, options and variables of the shell are not read; they can say otherwise'
const PROJECT_OF_CODEX =
  'profiles (NAME.config.toml), .codex/config.toml of the project and options are not read; they can say otherwise'

function claudeCodeBase(store: RuntimeStore, { model }: RuntimeSession): Base {
  const version = store.version?.value ?? null
  const client = claudeCodeCompaction(saidIn(store), version, model)
  return {
    ...{ version, rules: 'claude-code', client },
    name: version === null ? 'Claude Code' : `Claude Code ${version}`,
    assumed: [
      ...(isClaudeCodeRelease(version)
        ? []
        : [
            `${version === null ? 'the release is not stated' : `${JSON.stringify(version)} is no release of Claude Code`}; the rules of ${NEWEST_CLAUDE_CODE}, the newest that is known, are taken`,
          ]),
      ...(store.files.length === 0
        ? ['no settings file of Claude Code was found; its defaults are taken']
        : []),
      PROJECT_OF_CLAUDE_CODE,
    ],
    patch: { ...CLAUDE_CODE_BASE, reserve: { tokens: client.output, floor: 0, maxShare: 1 } },
  }
}

function codexBase(store: RuntimeStore): Base {
  const version = store.version?.value ?? null
  const client = codexCompaction(saidIn(store))
  return {
    ...{ version, rules: 'codex', client },
    name: version === null ? 'Codex' : `Codex ${version}`,
    assumed: [
      ...(store.files.length === 0 ? ['no config.toml of Codex was found; its defaults are taken'] : []),
      PROJECT_OF_CODEX,
      ...(client.scope === 'body_after_prefix' && client.limit !== null
        ? [
            'the limit counts what follows the beginning of a window, whose size is not known: the line may be higher',
          ]
        : []),
    ],
    patch: CODEX_BASE,
  }
}

/** What the files of a client say, weakest file first. */
function saidIn({ files }: RuntimeStore) {
  return files.map(({ file }) => file.clientSettings ?? [])
}

function openClawBase({ era, version, files }: RuntimeStore, { at }: RuntimeSession): Base {
  const release = openClawRelease({ era, version, at })
  return {
    version: release.version,
    rules: release.rules,
    name: `OpenClaw ${release.version ?? release.rules}`,
    assumed: [
      ...release.assumed,
      ...(files.length > 0 ? [] : ['no settings file of OpenClaw was found; its defaults are taken']),
    ],
    patch: OPENCLAW_BASES[release.rules],
  }
}

function piBase({ files }: RuntimeStore): Base {
  return {
    version: null,
    rules: 'pi',
    name: 'pi',
    assumed: [
      ...(files.length > 0 ? [] : ["no settings.json of pi was found; pi's defaults are taken"]),
      "a project's own .pi/settings.json is not read",
    ],
    patch: PI_BASE,
  }
}

function libraryPolicy({ own }: RuntimeStore, session: RuntimeSession): RuntimePolicy {
  const resolved = effectivePolicy({ own, store: [], chosen: null }, session)
  return {
    ...resolved,
    runtime: {
      kind: 'library',
      version: null,
      rules: 'library',
      name: "Plimsoll's library",
      assumed: [
        own === null
          ? 'there is no plimsoll.yaml, so the defaults are taken; the agent may give the library another policy'
          : `the policy of ${own.label} is taken; the agent may give the library another one`,
      ],
      files: own === null ? [] : [own.label],
      provider: null,
      providerThreshold: null,
      client: null,
    },
  }
}

/** What nothing says of a session, though it decides about it. */
function assumedOf(
  { owner }: RuntimeStore,
  session: RuntimeSession,
  { origin }: ResolvedPolicy,
  provider: RuntimeInfo['provider'],
): string[] {
  if (owner !== 'openclaw') return []
  const found: string[] = []
  if (provider !== null)
    found.push(
      `${session.provider} is taken to be asked with a key, at its own address: it compacts on its side then`,
    )
  if (session.provider === 'anthropic' && origin['pruning.cacheTtl.enabled']?.level !== 'store')
    found.push('pruning is taken to be off; with a key for Anthropic OpenClaw switches it on by itself')
  return found
}

/** What a runtime heeds of its settings: 2026.9 has no keys any more for the cap, the reserve and the history share. */
function heeded(rules: RuntimeRules, patch: PolicyPatch): PolicyPatch {
  if (rules !== '2026.9') return patch
  const { reserve: _reserve, window, history, ...rest } = patch
  const { cap: _cap, ...windowLeft } = window ?? {}
  const { maxShare: _share, ...historyLeft } = history ?? {}
  return { ...rest, window: windowLeft, history: historyLeft }
}

/** What the settings say of the provider's compaction for the model and agent of a session; later ones win by key. */
function paramsOf({ files }: RuntimeStore, { provider, model, agent }: RuntimeSession): ProviderParams {
  const name = `${provider}/${model}`
  const applying = files
    .flatMap(({ file }) => file.providerParams ?? [])
    .filter(
      (one) => (one.model === null || one.model === name) && (one.agent === null || one.agent === agent),
    )
  return Object.assign({}, ...applying.map(({ params }) => params))
}

/** Windows of models that the operator names, and nothing else of the file. */
function windowsOf(own: LabelledFile | null): PolicyLayer[] {
  if (own === null) return []
  const byModel = own.file.patch.window?.byModel
  return [{ level: 'preset', label: own.label, patch: { window: { byModel } } }]
}

/** OpenClaw 2026.9 asks OpenAI to compact on its side, and later releases Anthropic. */
function providerOf(
  { rules, version }: Pick<Base, 'rules' | 'version'>,
  provider: string | null,
  { responsesServerCompaction, anthropicServerCompaction }: ProviderParams,
): RuntimeInfo['provider'] {
  if (rules !== '2026.9') return null
  if (provider === 'openai') return responsesServerCompaction === false ? null : 'openai'
  if (provider === 'anthropic' && anthropicServerCompaction !== undefined)
    return anthropicServerCompaction ? 'anthropic' : null
  const [year = 0, month = 0, patch = 0] = (version ?? '').split('.').map((part) => Number.parseInt(part, 10))
  const isLater = year * 10_000 + month * 100 + patch >= ANTHROPIC_DEFAULT_SINCE
  return provider === 'anthropic' && isLater ? 'anthropic' : null
}
