import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import json5 from 'json5'
import { parseDocument } from 'yaml'
import * as z from 'zod'
import { type BackupSettings, backupsShape, DEFAULT_BACKUPS } from './backup-settings'
import { absolutePath } from './env'
import { type GatewaySettings, gatewayShape } from './gateway-settings'
import { DEFAULT_HEALTH, type HealthSettings, healthShape } from './health-settings'
import { DEFAULT_HOOKS, type HookSettings, hooksShape } from './hook-settings'
import { DEFAULT_KNOWLEDGE, type KnowledgeSettings, knowledgeShape } from './knowledge-settings'

const FILE_NAMES = ['plimsoll.yaml', 'plimsoll.yml', 'plimsoll.json', 'plimsoll.json5']

/** A store that the operator named. */
export type ConfiguredStore = { readonly path: string; readonly kind: 'openclaw' | 'pi' | null }

/** The operator's settings, with absolute paths and defaults filled in. */
export type Settings = {
  /** Read in addition to the known places. */
  readonly stores: readonly ConfiguredStore[]
  /** Folders whose files agents get with every prompt; absolute paths. */
  readonly workspaces: readonly string[]
  /** Folders where agents that use the library keep what they remember of their conversations; absolute paths. */
  readonly agentMemory: readonly string[]
  readonly backups: BackupSettings
  readonly hooks: HookSettings
  readonly health: HealthSettings
  readonly gateway: GatewaySettings
  readonly knowledge: KnowledgeSettings
}

export const DEFAULT_SETTINGS: Settings = {
  stores: [],
  workspaces: [],
  agentMemory: [],
  backups: DEFAULT_BACKUPS,
  hooks: DEFAULT_HOOKS,
  health: DEFAULT_HEALTH,
  gateway: null,
  knowledge: DEFAULT_KNOWLEDGE,
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

const KINDS = ['openclaw', 'pi'] as const

const storeShape = z.union(
  [z.string().min(1), z.strictObject({ path: z.string().min(1), kind: z.enum(KINDS).optional() })],
  { error: 'must be a path, or a map with path and, if wanted, kind (openclaw or pi)' },
)

const shape = z.object({
  stores: z
    .array(storeShape, { error: 'must be a list of paths, or of maps with path and kind' })
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
  hooks: hooksShape,
  health: healthShape,
  gateway: gatewayShape,
  knowledge: knowledgeShape,
  // Read by the policy's own reader, which names key and line (core/policy/read-policy.ts).
  policy: z.unknown().optional(),
  overrides: z.unknown().optional(),
})

/**
 * Finds and reads the settings file: `explicit` when given (it must exist), else the working folder, else the settings
 * folder. No file at all means the defaults.
 */
export function loadSettings(places: {
  readonly explicit: string | null
  readonly cwd: string
  readonly configFolder: string
  readonly userHome: string
}): SettingsResult {
  const file = places.explicit ?? findFile([places.cwd, places.configFolder])
  if (file === null) return { ok: true, file: null, settings: DEFAULT_SETTINGS, warnings: [] }
  let source: string
  try {
    source = readFileSync(file, 'utf8')
  } catch (error) {
    return refuse(file, [`${file} cannot be read: ${messageOf(error)}`])
  }
  return parseSettings(file, source, places.userHome)
}

/** Checks the text of a settings file. Relative paths in it start from the folder of the file. */
export function parseSettings(file: string, source: string, userHome: string): SettingsResult {
  const parsed = parseText(file, source)
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
  const stores = data.stores.map((store): ConfiguredStore => {
    const { path, kind } = typeof store === 'string' ? { path: store, kind: undefined } : store
    return { path: absolutePath(path, dirname(file), userHome), kind: kind ?? null }
  })
  const workspaces = data.workspaces.map((path) => absolutePath(path, dirname(file), userHome))
  const agentMemory = data.agentMemory.map((path) => absolutePath(path, dirname(file), userHome))
  const { backups, hooks, health, gateway, knowledge } = data
  return { stores, workspaces, agentMemory, backups, hooks, health, gateway, knowledge }
}

function findFile(folders: readonly string[]): string | null {
  const places = folders.flatMap((folder) => FILE_NAMES.map((name) => join(folder, name)))
  return places.find((place) => existsSync(place)) ?? null
}

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: string[] }

function parseText(file: string, source: string): Parsed {
  if (extname(file) === '.json' || extname(file) === '.json5') {
    try {
      return { ok: true, value: json5.parse(source) }
    } catch (error) {
      return { ok: false, problems: [`${file}: not valid JSON5: ${messageOf(error)}`] }
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
