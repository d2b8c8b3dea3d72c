import { NO_SUBJECT } from '../../core/policy/effective'
import type { PolicyPatch } from '../../core/policy/policy'
import {
  type RuntimePolicy,
  type RuntimeSession,
  type RuntimeStore,
  runtimePolicy,
} from '../../core/policy/runtime/runtime-policy'

/** A settings file with these values. */
export function settingsFile(label: string, patch: PolicyPatch): RuntimeStore['files'][number] {
  const file = { format: '', label, preset: null, patch, overrides: [], places: {}, problems: [] }
  return { label, file }
}

/** OpenClaw 2026.2.26 with a settings file, unless said otherwise: everything of it is known. */
export function runtimeStoreWith(values: Partial<RuntimeStore> = {}): RuntimeStore {
  return {
    owner: 'openclaw',
    era: 'jsonl',
    version: { value: '2026.2.26', from: 'openclaw.json' },
    files: [settingsFile('openclaw.json', {})],
    own: null,
    ...values,
  }
}

/** What a runtime does in a session about which nothing is known. */
export function runtimePolicyWith(
  values: Partial<RuntimeStore> = {},
  session: Partial<RuntimeSession> = {},
): RuntimePolicy {
  return runtimePolicy(runtimeStoreWith(values), { ...NO_SUBJECT, provider: null, at: null, ...session })
}
