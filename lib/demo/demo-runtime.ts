import { runtimeCompactLine } from '../core/budget/runtime-lines'
import { NO_SUBJECT } from '../core/policy/effective'
import { type RuntimeOwner, runtimePolicy } from '../core/policy/runtime/runtime-policy'
import type { DemoFile } from './demo-file'
import { OPENCLAW_FOLDER } from './demo-folders'

/** The last release of OpenClaw that keeps its sessions in files, as the demo's are. */
const VERSION = '2026.7.1'

/** The settings of the demo's OpenClaw: they state its release, and leave everything else at what that release does. */
export const DEMO_SETTINGS: DemoFile = {
  path: `${OPENCLAW_FOLDER}/openclaw.json`,
  text: `${JSON.stringify({ meta: { lastTouchedVersion: VERSION } }, null, 2)}\n`,
}

/**
 * Tokens from which on one of the demo's runtimes compacts.
 * @param window tokens
 */
export function demoCompactLine(owner: RuntimeOwner, window: number): number {
  const version = owner === 'openclaw' ? { value: VERSION, from: DEMO_SETTINGS.path } : null
  const runtime = runtimePolicy(
    { owner, era: 'jsonl', version, files: [], own: null },
    { ...NO_SUBJECT, provider: null, at: null },
  )
  return runtimeCompactLine(runtime, window) ?? window
}
