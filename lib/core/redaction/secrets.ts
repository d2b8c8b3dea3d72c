import { isLikelyCredential } from './likely-credential'

/** A stretch of a text, in UTF-16 units; `end` is the first one behind it. */
export type CredentialRange = { readonly start: number; readonly end: number }

/** What covers a character of a credential. */
export const COVER = '•'

/** Further than this from a piece of a text, nothing is looked at to cover what stands in it. */
const MARGIN = 16_384

// Every pattern takes time in proportion to the text: what may repeat without limit cannot be tried again from its own
// middle (the look-behinds see to it), and everything else is bounded.

/** Forms that say by themselves what they are. A form that a preview has cut ends with an ellipsis. */
const SELF_EVIDENT = new RegExp(
  `(?<![\\w-])(?:${[
    // OpenAI, Anthropic, OpenRouter and their like
    'sk-(?=[\\w-]{0,80}\\d)(?:[\\w-]{16,}|[\\w-]{4,15}(?=…))',
    'sk-ant-[\\w-]{4,}',
    '[rs]k_(?:live|test)_\\w{16,}',
    // GitHub, GitLab, npm, PyPI, Hugging Face, Groq, xAI
    'gh[pousr]_(?:[A-Za-z0-9]{20,}|[A-Za-z0-9]{4,19}(?=…))',
    'github_pat_\\w{8,}',
    'glpat-[\\w-]{16,}',
    'npm_[A-Za-z0-9]{30,}',
    'pypi-[\\w-]{40,}',
    'hf_[A-Za-z0-9]{24,}',
    'gsk_[A-Za-z0-9]{24,}',
    'xai-[A-Za-z0-9]{24,}',
    // Slack
    'xox[abeoprs]-(?=[\\w-]{0,40}\\d)[\\w-]{10,}',
    'xapp-\\d[\\w-]{16,}',
    // Amazon, Google, SendGrid, DigitalOcean
    'A(?:KIA|SIA)[0-9A-Z]{16}(?![\\w-])',
    'AIza[\\w-]{30,}',
    'ya29\\.[\\w-]{20,}',
    'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
    'do[opr]_v1_[a-f0-9]{40,}',
    // Telegram and Discord bots
    '\\d{8,10}:AA[\\w-]{30,}',
    '[MNO][\\w-]{23,25}\\.[\\w-]{6}\\.[\\w-]{27,}',
    // JSON web tokens
    'eyJ[\\w-]{10,}\\.[\\w-]{10,}(?:\\.[\\w-]*)?',
  ].join('|')})`,
  'g',
)

const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s]|\\[nrt]){0,16000}(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g

/** `Bearer …`, `Basic …` after the name of a header. */
const AUTHORIZATION =
  /\b(?:bearer|authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:basic|token))\s{1,4}(?=[^\s]{0,200}\d)([\w.~+/=-]{16,})/gi

/** The password in `scheme://user:password@host`. */
const IN_ADDRESS = /:\/\/[^\s:/@"'<>`]{0,100}:([^\s:@/"'<>`\\]{3,200})@(?=[\w[])/g

/** A name that promises a credential, and what is assigned to it, quoted or not. */
const ASSIGNED =
  /(passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|credential|token|cookie)\\?["'`]?[ \t]{0,4}(?::|=>?)[ \t]{0,4}(?:\\?(["'`])([^"'`\\\r\n]{6,400})|([^\s"'`\\,;<>(){}[\]|&]{8,400}))/dgi

/** Where credentials stand in a text, by their form or by the name before them; ascending, apart from each other. */
export function credentialRanges(text: string): CredentialRange[] {
  const found: CredentialRange[] = []
  for (const pattern of [SELF_EVIDENT, PRIVATE_KEY]) {
    for (const { index, 0: match } of text.matchAll(pattern))
      found.push({ start: index, end: index + match.length })
  }
  for (const pattern of [AUTHORIZATION, IN_ADDRESS]) {
    for (const { index, 0: match, 1: value = '' } of text.matchAll(pattern)) {
      const start = index + match.lastIndexOf(value)
      if (isLikelyCredential('password', value, true)) found.push({ start, end: start + value.length })
    }
  }
  for (const match of text.matchAll(ASSIGNED)) {
    const [name = '', isQuoted, value] = [match[1], match[2] !== undefined, match[3] ?? match[4]]
    const place = match.indices?.[3] ?? match.indices?.[4]
    if (value === undefined || place === undefined) continue
    if (isLikelyCredential(name, value, isQuoted)) found.push({ start: place[0], end: place[1] })
  }
  return joinRanges(found)
}

/** Ranges in order, those that touch made one. */
export function joinRanges(ranges: readonly CredentialRange[]): CredentialRange[] {
  const joined: CredentialRange[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last !== undefined && range.start <= last.end) {
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    } else joined.push(range)
  }
  return joined
}

/** The text with the ranges covered, as long as before; lines stay lines. */
export function coverRanges(text: string, ranges: readonly CredentialRange[]): string {
  let covered = ''
  let at = 0
  for (const { start, end } of ranges) {
    covered += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, COVER)
    at = end
  }
  return at === 0 ? text : covered + text.slice(at)
}

/** The text with every credential covered, as long as before. */
export function maskSecrets(text: string): string {
  return coverRanges(text, credentialRanges(text))
}

/** The piece `start` to `end` of a text with what is part of a credential covered; as if all of it had been. */
export function maskedSlice(text: string, start: number, end: number): string {
  const from = Math.max(0, start - MARGIN)
  return maskSecrets(text.slice(from, end + MARGIN)).slice(start - from, end - from)
}
