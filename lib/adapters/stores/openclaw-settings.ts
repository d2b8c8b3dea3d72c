import path from 'node:path'
import JSON5 from 'json5'
import {
  EMPTY_CONFIG,
  type ModelWindows,
  type RuntimeConfig,
  readModelCatalogue,
  readRuntimeConfig,
} from '../../core/transcript/formats/openclaw-config'
import { readSessionIndex, type SessionIndex } from '../../core/transcript/formats/openclaw-index'
import { isObject } from '../../core/transcript/json'
import { type JsonFile, JsonFiles } from '../files/json-file'

/** Names of the configuration file, today's first (lib/docs/openclaw.md#places). */
const CONFIG_NAMES = ['openclaw.json', 'clawdbot.json', 'moldbot.json', 'moltbot.json']

/** The parser of JSON5 takes 100 ms for a megabyte. Bytes. */
const MAX_JSON5 = 8 * 1024 * 1024

/**
 * What runtimes keep beside their transcripts: settings, model catalogues, indexes. Each file is read once per change.
 */
export class RuntimeFiles {
  private readonly configs = new JsonFiles(parseConfig, MAX_JSON5)
  private readonly catalogues = new JsonFiles(parseCatalogue, MAX_JSON5)
  private readonly indexes = new JsonFiles(parseIndex)
  private readonly indexChecks = new JsonFiles(checkIndex)
  private readonly merged = new Map<string, { from: readonly ModelWindows[]; windows: ModelWindows }>()

  /** @param file a configuration file named by the operator; else the state folder's own. */
  config(stateFolder: string | null, file?: string): RuntimeConfig {
    const candidates =
      file !== undefined
        ? [file]
        : stateFolder === null
          ? []
          : CONFIG_NAMES.map((name) => path.join(stateFolder, name))
    for (const candidate of candidates) {
      const { value } = this.configs.get(candidate)
      if (value !== null) return value
    }
    return EMPTY_CONFIG
  }

  /**
   * Windows from the configuration and, where that is silent, from a `models.json`. The same object while nothing
   * changes.
   */
  windows(stateFolder: string | null, models: string | null): ModelWindows {
    const configured = this.config(stateFolder).windows
    const listed = models === null ? null : this.catalogues.get(models).value
    if (listed === null) return configured
    const key = `${stateFolder}\n${models}`
    const known = this.merged.get(key)
    if (known?.from[0] === configured && known.from[1] === listed) return known.windows
    const windows = { ...listed, ...configured }
    this.merged.set(key, { from: [configured, listed], windows })
    return windows
  }

  /** The `sessions.json` of a sessions folder. */
  index(sessionsFolder: string): JsonFile<SessionIndex> {
    return this.indexes.get(indexOf(sessionsFolder))
  }

  /** Why that file cannot be used, or null; its entries are not examined, and nothing of them is remembered. */
  indexProblem(sessionsFolder: string): string | null {
    return this.indexChecks.get(indexOf(sessionsFolder)).problem ?? null
  }
}

function parseConfig(text: string): RuntimeConfig {
  return readRuntimeConfig(JSON5.parse(text))
}

function parseCatalogue(text: string): ModelWindows {
  return readModelCatalogue(JSON5.parse(text))
}

function indexOf(sessionsFolder: string): string {
  return path.join(sessionsFolder, 'sessions.json')
}

function parseIndex(text: string): SessionIndex | null {
  return readSessionIndex(JSON.parse(text))
}

function checkIndex(text: string): true | null {
  return isObject(JSON.parse(text)) || null
}
