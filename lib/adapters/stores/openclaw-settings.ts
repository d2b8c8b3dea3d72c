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
import { type JsonFile, JsonFiles } from '../json-file'

/** Names of the configuration file, today's first (openclaw.md §1). */
const CONFIG_NAMES = ['openclaw.json', 'clawdbot.json', 'moldbot.json', 'moltbot.json']

/** What runtimes keep beside their transcripts: settings, model catalogues, indexes. Each file is read once per change. */
export class RuntimeFiles {
  private readonly configs = new JsonFiles(parseConfig)
  private readonly catalogues = new JsonFiles(parseCatalogue)
  private readonly indexes = new JsonFiles(parseIndex)

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

  /** Windows from the configuration and, where that is silent, from a `models.json`. */
  windows(stateFolder: string | null, models: string | null): ModelWindows {
    const configured = this.config(stateFolder).windows
    const listed = models === null ? null : this.catalogues.get(models).value
    return listed === null ? configured : { ...listed, ...configured }
  }

  /** The `sessions.json` of a sessions folder. */
  index(sessionsFolder: string): JsonFile<SessionIndex> {
    return this.indexes.get(path.join(sessionsFolder, 'sessions.json'))
  }
}

function parseConfig(text: string): RuntimeConfig {
  return readRuntimeConfig(JSON5.parse(text))
}

function parseCatalogue(text: string): ModelWindows {
  return readModelCatalogue(JSON5.parse(text))
}

function parseIndex(text: string): SessionIndex | null {
  return readSessionIndex(JSON.parse(text))
}
