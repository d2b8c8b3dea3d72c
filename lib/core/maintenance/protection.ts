import { parseSessionKey } from '../history/session-key'
import type { Bytes, Milliseconds } from '../units/units'

/** An entry of `sessions.json`, as far as maintenance asks. */
export type MaintenanceEntry = {
  readonly key: string
  readonly sessionId: string | null
  /** Last use, in milliseconds since the epoch; null when the entry does not say. */
  readonly updatedAt: Milliseconds | null
  /** Name of its transcript in the store's folder; null when it lies elsewhere or is unknown. */
  readonly transcript: string | null
  /** Ids of sessions that it belongs to: its own, the one before it, those it was split from. */
  readonly refersTo: readonly string[]
  readonly chatType: string | null
  readonly pinned: boolean
  /** What it takes in the index. */
  readonly bytes: Bytes
}

/** Why a session stays whatever its age: a place where several people talk, a thread, or the operator's wish. */
export type SessionProtection = 'group' | 'channel' | 'thread' | 'pinned'

/** Sessions of heartbeats, nodes and bridges lead no conversation, whatever else their keys look like. */
const SYNTHETIC = /^(?:agent:[^:]+:)?(?:acp-bridge:|hook:|node:|heartbeat$|.*:heartbeat(?::|$))/i

export function protectionOf(entry: MaintenanceEntry): SessionProtection | null {
  if (entry.pinned) return 'pinned'
  if (SYNTHETIC.test(entry.key)) return null
  const key = parseSessionKey(entry.key)
  if (key !== null && 'thread' in key && key.thread !== null) return 'thread'
  if (key?.kind === 'group' || key?.kind === 'channel') return key.kind
  const isUnattended = key !== null && key.kind !== 'direct' && key.kind !== 'own'
  if (isUnattended) return null
  const { chatType } = entry
  return chatType === 'group' || chatType === 'channel' || chatType === 'thread' ? chatType : null
}

const PROBE = /^agent:[^:\s]+:explicit:model-run-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether it is what a gateway leaves behind when it tries a model. */
export function isProbe(key: string): boolean {
  return PROBE.test(key)
}
