import { PRESET_NAMES, PRESETS } from '../../policy/presets'
import { resolvePolicy } from '../../policy/resolve'
import type { ReplayPolicy } from '../replay-policy'
import { byChance } from './by-chance'
import { DEPENDENCIES, LEAST_USED } from './by-use'
import { ANTHROPIC_CLEAR, CLAUDE_CODE_MICRO } from './clear-results'
import { EVERYTHING } from './everything'
import { keepCalls, keepTokens, keepTurns } from './keep-newest'
import { maskInBatches, maskOlder, WORDS_ONLY } from './mask-results'
import { policyReplay } from './of-policy'
import { COST_ORACLE, ORACLE } from './oracles'
import { RECORDED } from './recorded'
import { runtimeDefaults } from './runtime-policies'
import {
  ANTHROPIC_COMPACT,
  HALF_DIGEST,
  HALF_EMPTY,
  LOSSLESS_TAIL,
  RECLAIM_RATIO,
  RETAINED_USERS,
} from './threshold'

const CHANCE_SEEDS = [1, 2, 3, 4, 5]

/** The policies that sessions can be compared under, each with its constants and where they come from. */
export const REPLAY_POLICIES: readonly ReplayPolicy[] = [
  EVERYTHING,
  RECORDED,
  ...runtimeDefaults(),
  ...PRESET_NAMES.map(presetReplay),
  keepTurns(5),
  keepTurns(10),
  keepTurns(20),
  keepCalls(10),
  keepCalls(20),
  keepCalls(40),
  keepTokens(40_000),
  maskOlder(5),
  maskOlder(10),
  maskOlder(20),
  maskInBatches(
    'gemini-mask',
    'Gemini CLI: masking in batches',
    { protect: 50_000, least: 30_000 },
    'the published source of Gemini CLI',
  ),
  maskInBatches(
    'opencode-prune',
    'OpenCode: pruning in batches',
    { protect: 40_000, least: 20_000 },
    'the published source of OpenCode',
  ),
  maskInBatches(
    'batch-20k',
    'Masking in batches, 20k and 10k',
    { protect: 20_000, least: 10_000 },
    'a pilot of this project',
  ),
  WORDS_ONLY,
  CLAUDE_CODE_MICRO,
  ANTHROPIC_CLEAR,
  ANTHROPIC_COMPACT,
  RETAINED_USERS,
  HALF_EMPTY,
  HALF_DIGEST,
  LOSSLESS_TAIL,
  RECLAIM_RATIO,
  LEAST_USED,
  DEPENDENCIES,
  ...CHANCE_SEEDS.map(byChance),
  ORACLE,
  COST_ORACLE,
]

/** A preset of ours as the library carries it out. */
function presetReplay(name: (typeof PRESET_NAMES)[number]): ReplayPolicy {
  const { policy } = resolvePolicy([{ level: 'preset', label: name, patch: PRESETS[name] }])
  return policyReplay(policy, {
    id: `preset-${name}`,
    label: `Preset ${name}`,
    about: `The preset ${name} as the library carries it out; its summaries are digests.`,
    source: 'the presets of this project',
    family: 'preset',
  })
}
