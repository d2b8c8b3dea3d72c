import type { Sender } from '../transcript/send-rules'
import type { FindingRemedy } from './finding'

/** An action of ours on the session. */
export function byAction(
  action: Extract<FindingRemedy, { by: 'action' }>['action'],
  words: string,
): FindingRemedy {
  return { by: 'action', action, words }
}

export function byAdvice(words: string): FindingRemedy {
  return { by: 'advice', words }
}

type Settings = { readonly [R in Sender]?: { readonly key: string; readonly words: string } }

/** The setting that a runtime has for it, if it has one; which value is right depends on the host. */
function bySetting(settings: Settings, runtime: Sender): FindingRemedy[] {
  const setting = settings[runtime]
  return setting === undefined ? [] : [{ by: 'setting', runtime, value: null, ...setting }]
}

const COMPACTION = 'agents.defaults.compaction'

/** How much of a conversation stays beside the summary (lib/docs/openclaw.md#cut). */
export function keepLess(runtime: Sender): FindingRemedy[] {
  const words = 'Keep fewer recent tokens beside the summary.'
  return bySetting(
    {
      openclaw: { key: `${COMPACTION}.keepRecentTokens`, words },
      pi: { key: 'compaction.keepRecentTokens', words },
    },
    runtime,
  )
}

/** The window that the runtime believes in. */
export function setWindow(runtime: Sender, words: string): FindingRemedy[] {
  return bySetting(
    {
      openclaw: { key: 'models.providers.*.models[].contextWindow', words },
      codex: { key: 'model_context_window', words },
    },
    runtime,
  )
}

/** From where on the runtime compacts. */
export function moveLine(runtime: Sender, words: string): FindingRemedy[] {
  return bySetting(
    {
      openclaw: { key: `${COMPACTION}.reserveTokensFloor`, words },
      pi: { key: 'compaction.reserveTokens', words },
      'claude-code': { key: 'autoCompactWindow', words },
      codex: { key: 'model_auto_compact_token_limit', words },
    },
    runtime,
  )
}

/** Old tool results that are sent again and again. */
export function pruneResults(runtime: Sender): FindingRemedy[] {
  const words = 'Let the runtime clear old tool results when the cache has expired anyway.'
  return bySetting({ openclaw: { key: 'agents.defaults.contextPruning.mode', words } }, runtime).map(
    (remedy) => (remedy.by === 'setting' ? { ...remedy, value: 'cache-ttl' } : remedy),
  )
}
