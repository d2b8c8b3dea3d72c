import type { SessionLoads } from '../../core/budget/session-loads'
import type { RuntimeStore } from '../../core/policy/runtime/runtime-policy'
import type { OwnPrices } from '../../core/tokens/own-prices'
import type { PolicyDocument, TextFile } from '../policy/policy-store'
import type { FoundStore, FoundTranscript, StoreReader } from '../read/ports'
import type { StoredTranscript } from '../read/sessions-once'
import type { FinishedTuning } from './tunings'

/** What governs sessions: as the settings files are, or as one of them would be. */
export type RemedyRules = {
  readonly loads: SessionLoads
  readonly runtimeOf: (storeId: string) => RuntimeStore
}

/** Where the settings file of a runtime is, or would be made. Absolute paths. */
export type SettingsHome = { readonly path: string; readonly folder: string }

/** The file of instructions that a runtime sends with each call of a session; or why there is none to write to. */
export type PinHome =
  | {
      readonly can: true
      readonly path: string
      readonly folder: string
      /** Which sessions read it, a sentence. */
      readonly reach: string
    }
  | { readonly can: false; readonly why: string }

/** What a remedy is worked out and tried with. It only reads. */
export type RemedyPorts = {
  readonly reader: StoreReader
  readonly prices: OwnPrices
  readonly listed: readonly StoredTranscript[]
  readonly rules: RemedyRules
  /** Settings files of a store's runtime that exist, weakest first. */
  readonly documentsOf: (store: FoundStore) => readonly PolicyDocument[]
  /** Our own settings file, as one document or none; `home` null: it lies in the working folder, and is left as it is. */
  readonly own: { readonly documents: readonly PolicyDocument[]; readonly home: SettingsHome | null }
  /** null: the store lies beside no settings file. */
  readonly homeOf: (store: FoundStore) => SettingsHome | null
  readonly pinHomeOf: (store: FoundStore, transcript: Pick<FoundTranscript, 'agent'>) => PinHome
  /** A text file that must stay in a folder; null: there is none. @throws Error that names it when it cannot be read */
  readonly readText: (path: string, folder: string) => Promise<TextFile | null>
  /** SHA-256, hex. */
  readonly hash: (text: string) => string
  /** Whether an administrator decides what is in a file. */
  readonly isManaged: (path: string) => boolean
  /** Tunings that have ended, the newest first. */
  readonly tunings: () => readonly FinishedTuning[] | Promise<readonly FinishedTuning[]>
  /** The rules if a settings file had another text. */
  readonly rulesWith: (store: FoundStore, path: string, text: string) => Promise<RemedyRules>
}
