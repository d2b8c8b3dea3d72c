import { parseSessionKey } from '../history/session-key'
import { wildcard } from '../words/wildcard'
import type { OverrideKey } from './formats/plimsoll'
import { isPreset, PRESETS } from './presets'
import type { PolicyFile, PolicyOverride } from './reading'
import { type PolicyLayer, type ResolvedPolicy, resolvePolicy } from './resolve'
import { grantedPart, NO_GRANTS, type StoreGrants } from './store-grants'

/** What is known of a session when its policy is resolved; null where something is not known. */
export type PolicySubject = {
  /** Id or root of the store. */
  readonly store: readonly string[]
  readonly agent: string | null
  readonly channel: string | null
  readonly model: string | null
  /** Id and key of the session. */
  readonly session: readonly string[]
}

/** No session in particular: overrides count for none. */
export const NO_SUBJECT: PolicySubject = { store: [], agent: null, channel: null, model: null, session: [] }

/**
 * A live session, as overrides name it: by its key, the agent and channel that are in it, and its model.
 * @param key session key; what is none is the session's name alone
 *
 * @example
 * ```ts
 * import { liveSubject } from 'plimsoll-agent'
 *
 * const subject = liveSubject('agent:harbour:main', 'claude-sonnet-4-5')
 * ```
 */
export function liveSubject(key: string, model: string | null): PolicySubject {
  const parsed = parseSessionKey(key)
  const channel = parsed !== null && 'channel' in parsed ? parsed.channel : null
  return { store: [], agent: parsed?.agent ?? null, channel, model, session: [key] }
}

/** A configuration file, and what to call it on screen. */
export type LabelledFile = {
  readonly label: string
  readonly file: PolicyFile
  /** Of a file of a store: what it may decide besides numbers and switches; nothing, if left out. */
  readonly granted?: StoreGrants
}

/** The files and choices that a policy is made of. */
export type PolicySources = {
  /** Our own settings file. */
  readonly own: LabelledFile | null
  /**
   * The configuration files of the runtime that owns the session, weakest first. Of what they name of models, addresses
   * and folders only that counts which is granted.
   */
  readonly store: readonly LabelledFile[]
  /** A preset or file that the operator chose for now (`--policy`); it replaces our own file's preset and values. */
  readonly chosen: {
    readonly label: string
    readonly preset: string | null
    readonly file: PolicyFile | null
  } | null
}

/**
 * The draft for a session, with the origin of each value. For whom it is must be said (`NO_SUBJECT`: for
 * none), since an override that nothing is compared with would be shown and not obeyed.
 *
 * @example
 * ```ts
 * import { effectivePolicy, liveSubject, openPolicyFile } from 'plimsoll-agent'
 *
 * const { path, file } = await openPolicyFile('plimsoll.yaml')
 * const own = { label: path, file }
 * const { policy } = effectivePolicy({ own, store: [], chosen: null }, liveSubject('main', 'claude-sonnet-4-5'))
 * ```
 */
export function effectivePolicy(sources: PolicySources, subject: PolicySubject): ResolvedPolicy {
  return resolvePolicy(layersFor(sources, subject))
}

/**
 * The layers that apply. The runtime's own file is above the general part of ours, since it is what the agent
 * really does; overrides of ours are above both. What was chosen for now replaces all files.
 */
export function layersFor(sources: PolicySources, subject: PolicySubject): PolicyLayer[] {
  const { own, store, chosen } = sources
  if (chosen !== null) {
    return [
      ...presetLayer(chosen.preset ?? chosen.file?.preset ?? null),
      ...(chosen.file === null ? [] : fileLayers(chosen.label, chosen.file, 'preset', subject)),
    ]
  }
  return [
    ...presetLayer(own?.file.preset ?? null),
    ...(own === null ? [] : fileLayers(own.label, own.file, 'preset', subject)),
    ...store.flatMap(({ label, file, granted = NO_GRANTS }) =>
      fileLayers(label, file, 'store', subject).map((layer) => ({
        ...layer,
        patch: grantedPart(layer.patch, granted),
      })),
    ),
  ]
}

function presetLayer(name: string | null): PolicyLayer[] {
  return name !== null && isPreset(name)
    ? [{ level: 'preset', label: `preset ${name}`, patch: PRESETS[name] }]
    : []
}

function fileLayers(
  label: string,
  file: PolicyFile,
  level: PolicyLayer['level'],
  subject: PolicySubject,
): PolicyLayer[] {
  const general: PolicyLayer = { level, label, patch: file.patch }
  const narrower = file.overrides
    .filter((override) => applies(override, subject))
    .map(
      (override): PolicyLayer => ({
        level: override.key,
        label: overrideLabel(label, override),
        patch: override.patch,
      }),
    )
  return [general, ...narrower]
}

/** What to call an override of a file on screen. @param label what to call the file */
export function overrideLabel(label: string, { key, match }: Pick<PolicyOverride, 'key' | 'match'>): string {
  return `${label}, ${key} ${match}`
}

/** Whether an override is about this session; `*` in its pattern matches any characters. */
export function applies(override: Pick<PolicyOverride, 'key' | 'match'>, subject: PolicySubject): boolean {
  return applier(override)(subject)
}

/** The same, made ready for many sessions. */
export function applier({
  key,
  match,
}: Pick<PolicyOverride, 'key' | 'match'>): (subject: PolicySubject) => boolean {
  const matches = wildcard(match)
  return (subject) => candidates(key, subject).some(matches)
}

function candidates(key: OverrideKey, subject: PolicySubject): readonly string[] {
  if (key === 'store') return subject.store
  if (key === 'session') return subject.session
  const name = subject[key]
  return name === null ? [] : [name]
}
