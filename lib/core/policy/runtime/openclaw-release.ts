/** The releases of OpenClaw whose rules for the context are known; others take those of the nearest one. */
export const OPENCLAW_RULES = ['2026.2', '2026.7', '2026.9'] as const

export type OpenClawRules = (typeof OPENCLAW_RULES)[number]

/**
 * From which month on a release follows which rules, newest first: SQLite came with 2026.8, the preflight with 2026.6.
 */
const SINCE: readonly (readonly [month: number, rules: OpenClawRules])[] = [
  [202_608, '2026.9'],
  [202_606, '2026.7'],
  [0, '2026.2'],
]

/** Months of releases that were examined themselves, so that nothing is assumed of them. */
const EXAMINED_MONTHS: ReadonlySet<number> = new Set([202_602, 202_606, 202_607, 202_608, 202_609])

/** What is known of the release that a store belongs to. */
export type ReleaseFacts = {
  /** `sqlite`: 2026.8 or later; `jsonl`: earlier. */
  readonly era: 'jsonl' | 'sqlite'
  /** The version as the runtime states it, and where (a file's name); null where it states none. */
  readonly version: StatedVersion | null
  /** When the session was used last, or the moment in question, in milliseconds; null: unknown. */
  readonly at: number | null
}

export type StatedVersion = { readonly value: string; readonly from: string }

/** Which rules count, and what of that is assumed and why; no reasons: the release is known. */
export type Release = {
  readonly rules: OpenClawRules
  readonly version: string | null
  readonly assumed: readonly string[]
}

/**
 * The rules of a release. The form of a store counts more than a version in its settings, since a store that was left
 * behind by an update goes on by its old rules; where nothing states a version, the time of use tells the likeliest.
 */
export function openClawRelease({ era, version, at }: ReleaseFacts): Release {
  if (version === null) {
    const { rules, because } = withoutVersion(era, at)
    return { rules, version: null, assumed: [`OpenClaw's version is not stated; ${because}`] }
  }
  const month = monthOf(version.value)
  if (month === null) {
    const fallback = withoutVersion(era, at)
    const reason = `${version.from} states the version ${JSON.stringify(version.value.slice(0, 40))}, which is none of OpenClaw's; ${fallback.because}`
    return { rules: fallback.rules, version: version.value, assumed: [reason] }
  }
  const rules = rulesOfMonth(month)
  if (era === 'sqlite' && rules !== '2026.9') {
    return {
      rules: '2026.9',
      version: version.value,
      assumed: [
        `${version.from} states ${version.value}, but sessions in SQLite are of 2026.8 or later; the rules of 2026.9 are taken`,
      ],
    }
  }
  if (era === 'jsonl' && rules === '2026.9') {
    const before = at === null ? '2026.7' : earlier(rulesOfMonth(monthOfTime(at)), '2026.7')
    return {
      rules: before,
      version: version.value,
      assumed: [
        `${version.from} states ${version.value}, but sessions in files are of releases before 2026.8; the rules of ${before} are taken`,
      ],
    }
  }
  const known = EXAMINED_MONTHS.has(month)
  return {
    rules,
    version: version.value,
    assumed: known
      ? []
      : [`the rules of OpenClaw ${version.value} are not known; those of ${rules}, the nearest, are taken`],
  }
}

/** The rules that were in force at a moment, by the months of the releases. @param at milliseconds since the epoch */
export function openClawRulesAt(at: number): OpenClawRules {
  return rulesOfMonth(monthOfTime(at))
}

function withoutVersion(
  era: ReleaseFacts['era'],
  at: number | null,
): { readonly rules: OpenClawRules; readonly because: string } {
  if (era === 'sqlite')
    return {
      rules: '2026.9',
      because: 'sessions in SQLite are of 2026.8 or later: the rules of 2026.9 are taken',
    }
  if (at === null)
    return {
      rules: '2026.7',
      because: 'sessions in files are of releases before 2026.8: the rules of 2026.7 are taken',
    }
  const rules = earlier(openClawRulesAt(at), '2026.7')
  return {
    rules,
    because: `the session was used last in ${new Date(at).toISOString().slice(0, 7)}: the rules of ${rules} are taken`,
  }
}

function earlier(a: OpenClawRules, b: OpenClawRules): OpenClawRules {
  return OPENCLAW_RULES.indexOf(a) < OPENCLAW_RULES.indexOf(b) ? a : b
}

function rulesOfMonth(month: number): OpenClawRules {
  return SINCE.find(([since]) => month >= since)?.[1] ?? '2026.2'
}

/** `2026.9.6` → 202609; null for anything else. */
function monthOf(version: string): number | null {
  const match = /^v?(\d{4})\.(\d{1,2})(?:\.|-|$)/.exec(version.trim())
  return match === null ? null : Number(match[1]) * 100 + Number(match[2])
}

/** 202602 for a moment in February 2026, UTC; 0 where it is no date. */
function monthOfTime(at: number): number {
  const date = new Date(at)
  const month = date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
  return Number.isNaN(month) ? 0 : month
}
