import type { AnyDetector } from './detector'
import { bootstrapCut } from './detectors/bootstrap-cut'
import { cacheExpired } from './detectors/cache-expired'
import { cachePrefixChanged } from './detectors/cache-prefix-changed'
import { compactionChain } from './detectors/compaction-chain'
import { compactionEarly } from './detectors/compaction-early'
import { compactionFreesNothing } from './detectors/compaction-frees-nothing'
import { compactionLate } from './detectors/compaction-late'
import { compactionUnprofitable } from './detectors/compaction-unprofitable'
import { damagedTranscript } from './detectors/damaged-transcript'
import { emptySummary } from './detectors/empty-summary'
import { fixedOverhead } from './detectors/fixed-overhead'
import { heartbeatDrag } from './detectors/heartbeat-drag'
import { keptTooLong } from './detectors/kept-too-long'
import { metersDisagree } from './detectors/meters-disagree'
import { overflowUncompacted } from './detectors/overflow-uncompacted'
import { oversizedResult } from './detectors/oversized-result'
import { providerCutsPrompt } from './detectors/provider-cuts-prompt'
import { providerRefusal } from './detectors/provider-refusal'
import { repeatedFailure } from './detectors/repeated-failure'
import { resumeAfterIdle } from './detectors/resume-after-idle'
import { rulesLost } from './detectors/rules-lost'
import { subagentFanout } from './detectors/subagent-fanout'
import { summaryCopied } from './detectors/summary-copied'
import { twoOwners } from './detectors/two-owners'
import { unusedTools } from './detectors/unused-tools'
import { wantedAgain } from './detectors/wanted-again'
import { willNotFit } from './detectors/will-not-fit'
import { windowWrong } from './detectors/window-wrong'

/** Everything that is looked for in a session. A new one is a file in `detectors/` and a row here. */
export const DETECTORS: readonly AnyDetector[] = [
  providerCutsPrompt,
  providerRefusal,
  overflowUncompacted,
  willNotFit,
  compactionFreesNothing,
  compactionChain,
  emptySummary,
  summaryCopied,
  rulesLost,
  wantedAgain,
  compactionLate,
  compactionEarly,
  compactionUnprofitable,
  cachePrefixChanged,
  cacheExpired,
  resumeAfterIdle,
  oversizedResult,
  keptTooLong,
  fixedOverhead,
  unusedTools,
  bootstrapCut,
  heartbeatDrag,
  subagentFanout,
  repeatedFailure,
  windowWrong,
  metersDisagree,
  damagedTranscript,
  twoOwners,
]
