import type { OverrideKey } from './formats/plimsoll'
import { isPreset, PRESETS } from './presets'
import type { PolicyFile, PolicyOverride } from './reading'
import { type PolicyLayer, type ResolvedPolicy, resolvePolicy } from './resolve'

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

export const NO_SUBJECT: PolicySubject = { store: [], agent: null, channel: null, model: null, session: [] }

/** A configuration file, and what to call it on screen. */
export type LabelledFile = { readonly label: string; readonly file: PolicyFile }

/** The files and choices that a policy is made of. */
export type PolicySources = {
  /** Our own settings file. */
  readonly own: LabelledFile | null
  /** The configuration files of the runtime that owns the session, weakest first. */
  readonly store: readonly LabelledFile[]
  /** A preset or file that the operator chose for now (`--policy`); it replaces our own file's preset and values. */
  readonly chosen: {
    readonly label: string
    readonly preset: string | null
    readonly file: PolicyFile | null
  } | null
}

/** The policy in force for a session (or for none), with the origin of each value (X9). */
export function effectivePolicy(sources: PolicySources, subject: PolicySubject = NO_SUBJECT): ResolvedPolicy {
  return resolvePolicy(layersFor(sources, subject))
}

/**
 * The layers that apply. The runtime's own file stands above the general part of ours, since it is what the agent
 * really does; overrides of ours stand above both. What was chosen for now replaces all files.
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
    ...store.flatMap(({ label, file }) => fileLayers(label, file, 'store', subject)),
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
        label: `${label}, ${override.key} ${override.match}`,
        patch: override.patch,
      }),
    )
  return [general, ...narrower]
}

/** Whether an override is about this session; `*` in its pattern stands for any characters. */
export function applies(override: Pick<PolicyOverride, 'key' | 'match'>, subject: PolicySubject): boolean {
  return applier(override)(subject)
}

/** The same, made ready for many sessions. */
export function applier({
  key,
  match,
}: Pick<PolicyOverride, 'key' | 'match'>): (subject: PolicySubject) => boolean {
  const parts = match.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`, 'su')
  return (subject) => candidates(key, subject).some((name) => pattern.test(name))
}

function candidates(key: OverrideKey, subject: PolicySubject): readonly string[] {
  if (key === 'store') return subject.store
  if (key === 'session') return subject.session
  const name = subject[key]
  return name === null ? [] : [name]
}
