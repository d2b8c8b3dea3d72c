import { dirname, extname } from 'node:path'
import json5 from 'json5'
import { parseDocument } from 'yaml'
import * as z from 'zod'
import { NO_PRICES, type OwnPrices } from '../core/tokens/own-prices'
import { SENDERS, type Sender } from '../core/transcript/send-rules'
import { reasonOf } from '../core/words/reason-of'
import { type ArchiveSettings, archiveShape, DEFAULT_ARCHIVE } from './archive-settings'
import { type BackupSettings, backupsShape, DEFAULT_BACKUPS } from './backup-settings'
import { absolutePath } from './env'
import { type GatewaySettings, gatewayShape } from './gateway-settings'
import { DEFAULT_HEALTH, type HealthSettings, healthShape } from './health-settings'
import { DEFAULT_HOOKS, type HookSettings, hooksShape } from './hook-settings'
import { DEFAULT_KNOWLEDGE, type KnowledgeSettings, knowledgeShape } from './knowledge-settings'
import { pricesShape } from './price-settings'
import { readSettingsFile, type SettingsOrigin, settingsPlaces } from './settings-file'
import { allowShape, type KeyPairing, keysShape, type StoreAllowance } from './trust-settings'

/** A store that the operator named. */
type ConfiguredStore = {
  readonly path: string
  readonly kind: Sender | null
  /** `library`: its sessions are those of agents that embed the library. Null: its runtime follows from its kind. */
  readonly runtime: 'library' | null
  /** What its files may decide besides numbers and switches; null: nothing. */
  readonly allow: StoreAllowance | null
}

/** The operator's settings, with absolute paths and defaults filled in. */
export type Settings = {
  /** Read in addition to the known places. */
  readonly stores: readonly ConfiguredStore[]
  /** Folders whose files agents get with every prompt; absolute paths. */
  readonly workspaces: readonly string[]
  /** Folders where agents that use the library keep what they remember of their conversations; absolute paths. */
  readonly agentMemory: readonly string[]
  readonly backups: BackupSettings
  readonly archive: ArchiveSettings
  readonly hooks: HookSettings
  readonly health: HealthSettings
  readonly gateway: GatewaySettings
  readonly knowledge: KnowledgeSettings
  /** What the operator pays for models; counts more than the list of prices. */
  readonly prices: OwnPrices
  /** Keys that go to other addresses than their provider's own. */
  readonly keys: readonly KeyPairing[]
}

export const DEFAULT_SETTINGS: Settings = {
  stores: [],
  workspaces: [],
  agentMemory: [],
  backups: DEFAULT_BACKUPS,
  archive: DEFAULT_ARCHIVE,
  hooks: DEFAULT_HOOKS,
  health: DEFAULT_HEALTH,
  gateway: null,
  knowledge: DEFAULT_KNOWLEDGE,
  prices: NO_PRICES,
  keys: [],
}

export type SettingsResult =
  | {
      readonly ok: true
      /** The file that was read; null when there is none. */
      readonly file: string | null
      readonly settings: Settings
      readonly warnings: readonly string[]
    }
  | {
      readonly ok: false
      readonly file: string
      readonly problems: readonly string[]
      /** What can be read of it; the default for everything else. For those who go on with a broken file. */
      readonly settings: Settings
    }

const STORE =
  'must be a path, or a map with path and, if wanted, kind (openclaw, pi, claude-code or codex), runtime (library) and allow'

const storeMap = z.strictObject(
  {
    path: z.string({ error: STORE }).min(1, { error: STORE }),
    kind: z.enum(SENDERS, { error: 'must be openclaw or pi' }).optional(),
    runtime: z.literal('library', { error: 'must be library' }).optional(),
    allow: allowShape.optional(),
  },
  { error: STORE },
)

const storeShape = z
  .unknown()
  .transform((value) => (typeof value === 'string' && value !== '' ? { path: value } : value))
  .pipe(storeMap)

const shape = z.object({
  stores: z
    .array(storeShape, { error: 'must be a list of paths, or of maps with path, kind, runtime and allow' })
    .nullish()
    .transform((value) => value ?? []),
  workspaces: z
    .array(z.string().min(1), { error: 'must be a list of paths' })
    .nullish()
    .transform((value) => value ?? []),
  agentMemory: z
    .array(z.string().min(1), { error: 'must be a list of paths' })
    .nullish()
    .transform((value) => value ?? []),
  backups: backupsShape,
  archive: archiveShape,
  hooks: hooksShape,
  health: healthShape,
  gateway: gatewayShape,
  knowledge: knowledgeShape,
  prices: pricesShape,
  keys: keysShape,
  // Read by the policy's own reader, which names key and line (core/policy/read-policy.ts).
  policy: z.unknown().optional(),
  overrides: z.unknown().optional(),
})

/** What was found at the places of the settings file. */
export type LoadedSettings = SettingsResult & {
  /** Who says that `file` is the settings file; null when there is none. */
  readonly origin: SettingsOrigin | null
  /** The file may not be obeyed: whose it is, or who may write it. Its message is among the problems. */
  readonly refused: boolean
  /** Why a settings file in the working folder was passed over, and what to do; null when none was. */
  readonly passedOver: string | null
}

/**
 * Finds and reads the settings file: `explicit` when given (it must exist), else one in the working folder that the
 * operator trusts, else the settings folder. No file at all means the defaults.
 */
export function loadSettings(places: {
  readonly explicit: string | null
  readonly cwd: string
  readonly configFolder: string
  readonly userHome: string
  /** State folder, which knows the trusted files. */
  readonly home: string
}): LoadedSettings {
  let passedOver: string | null = null
  for (const place of settingsPlaces(places)) {
    const { path: file, origin } = place
    const read = readSettingsFile(place, places.home)
    if (read.ok) {
      return { ...parseSettings(file, read.text, places.userHome), origin, refused: false, passedOver }
    }
    // Who fills the working folder must not be able to stop us either.
    if (origin === 'working-folder') passedOver = read.message
    else return { ...refuse(file, [read.message]), origin, refused: read.reason === 'refused', passedOver }
  }
  const none = { ok: true, file: null, settings: DEFAULT_SETTINGS, warnings: [] } as const
  return { ...none, origin: null, refused: false, passedOver }
}

/** Checks the text of a settings file. Relative paths in it start from the folder of the file. */
export function parseSettings(file: string, source: string, userHome: string): SettingsResult {
  const parsed = readSettingsText(file, source)
  if (!parsed.ok) return refuse(file, parsed.problems)
  const value = parsed.value ?? {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    return refuse(file, [`${file}: must hold a map of settings, for example "stores: [~/agents]"`])
  }
  const checked = shape.safeParse(value)
  if (!checked.success) {
    const problems = checked.error.issues.map(({ path, message }) => `${file}: ${keyPath(path)} ${message}`)
    const broken = new Set(checked.error.issues.map(({ path }) => path[0]))
    const rest = shape.safeParse(
      Object.fromEntries(Object.entries(value).filter(([key]) => !broken.has(key))),
    )
    return refuse(file, problems, rest.success ? settingsOf(file, rest.data, userHome) : DEFAULT_SETTINGS)
  }
  const known = Object.keys(shape.shape)
  const warnings = Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `${file}: ${key} is not a setting and was ignored; known are: ${known.join(', ')}`)
  return { ok: true, file, settings: settingsOf(file, checked.data, userHome), warnings }
}

function settingsOf(file: string, data: z.infer<typeof shape>, userHome: string): Settings {
  const absolute = (path: string) => absolutePath(path, dirname(file), userHome)
  const stores = data.stores.map(({ path, kind = null, runtime = null, allow }): ConfiguredStore => {
    const allowed = allow === undefined ? null : { ...allow, folders: allow.folders.map(absolute) }
    return { path: absolute(path), kind, runtime, allow: allowed }
  })
  const workspaces = data.workspaces.map(absolute)
  const agentMemory = data.agentMemory.map(absolute)
  const { backups, archive, hooks, health, gateway, knowledge, prices, keys } = data
  return {
    stores,
    workspaces,
    agentMemory,
    backups,
    archive,
    hooks,
    health,
    gateway,
    knowledge,
    prices,
    keys,
  }
}

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: string[] }

/** The value of a settings file's text, JSON5 or YAML by its name, without reading what it holds. */
export function readSettingsText(file: string, source: string): Parsed {
  if (extname(file) === '.json' || extname(file) === '.json5') {
    try {
      return { ok: true, value: json5.parse(source) }
    } catch (error) {
      return { ok: false, problems: [`${file}: not valid JSON5: ${reasonOf(error)}`] }
    }
  }
  const document = parseDocument(source, { prettyErrors: true })
  if (document.errors.length > 0) {
    return {
      ok: false,
      // What follows the first line draws the place; on one line it only confuses.
      problems: document.errors.map(
        ({ message }) => `${file}: not valid YAML: ${message.split('\n')[0]?.replace(/:$/, '.')}`,
      ),
    }
  }
  return { ok: true, value: document.toJS() }
}

function refuse(
  file: string,
  problems: readonly string[],
  settings: Settings = DEFAULT_SETTINGS,
): SettingsResult {
  return { ok: false, file, problems, settings }
}

function keyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key),
    '',
  )
}
