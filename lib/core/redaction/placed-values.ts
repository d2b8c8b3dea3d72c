import type { CredentialRange } from './credential-range'
import { type CredentialKind, isLikelyBeginning, isLikelyCredential, type Writing } from './likely-credential'

/**
 * A pattern whose first group is a credential. Every one takes time in proportion to the text: what may repeat is bounded,
 * or begins where it cannot be tried again.
 */
type Place = {
  readonly pattern: RegExp
  /** What every match holds: a text without it is not searched. */
  readonly holds?: string
  /** How the value is judged; null when the place leaves no doubt. */
  readonly judged: Judged | null
}

type Judged = { readonly kind: CredentialKind; readonly writing: Writing | 'cut' }

function isLikely({ kind, writing }: Judged, value: string): boolean {
  return writing === 'cut' ? isLikelyBeginning(value) : isLikelyCredential(kind, value, writing)
}

const PASSWORD = { kind: 'password', writing: 'quoted' } as const

const PLACES: readonly Place[] = [
  {
    holds: 'PRIVATE KEY',
    // A private key with the lines that say how it is encrypted. A cut one has no end.
    pattern:
      /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s{0,8}(?:[A-Za-z-]{2,20}: [^\r\n]{0,120}\s{1,4}){0,4}[A-Za-z0-9+/=\s]{0,16000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?)/dg,
    judged: null,
  },
  {
    // After the scheme of a header.
    pattern: /\bbearer\s{1,4}(?=[^\s]{0,200}\d)([\w.~+/=-]{16,})/dgi,
    judged: PASSWORD,
  },
  {
    // The header, with a scheme or without one.
    pattern:
      /\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:basic|token|digest|bot|apikey|key|negotiate|bearer)\s{1,4})?(?=[^\s]{0,200}\d)([\w.~+/=:-]{16,})/dgi,
    judged: PASSWORD,
  },
  {
    holds: '://',
    // The password in `scheme://user:password@host`.
    pattern: /:\/\/[^\s:/@"'<>`]{0,100}:([^\s/@"'<>`\\]{3,200})@(?=[\w[])/dg,
    judged: PASSWORD,
  },
  {
    holds: '://',
    // A token for a user in `https://token@host`.
    pattern: /:\/\/(?=[\w-]{0,100}\d)([\w-]{20,200})@(?=[\w[])/dg,
    judged: PASSWORD,
  },
  {
    // The same two of which a preview shows the beginning.
    holds: '://',
    pattern: /:\/\/(?:[^\s:/@"'<>`]{0,100}:)?(?=[^\s]{0,200}[A-Za-z])([^\s/@"'<>`\\:]{6,200}?)(?:…|\.{3})$/dg,
    judged: { kind: 'key', writing: 'cut' },
  },
  {
    pattern:
      /\b(?:bearer|authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:[a-z]{3,10})?)\s{0,4}([\w~+/=:-]{4,200})(?:…|\.{3})$/dgi,
    judged: { kind: 'key', writing: 'cut' },
  },
  {
    // Parameters of an address with general names.
    pattern:
      /[?&;](?:sig|signature|x-amz-signature|x-goog-signature|key|sid)=(?=[\w%+/-]{0,100}\d)([\w%+/=.~-]{16,})/dgi,
    judged: null,
  },
  {
    // Addresses that anyone may post to who knows them.
    pattern:
      /\b(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks\/\d{5,25}|webhook\.office\.com\/webhookb2)\/([\w/@-]{6,400})/dg,
    judged: null,
  },
  {
    // A line of .netrc.
    holds: 'login',
    pattern:
      /\b(?:machine\s{1,8}\S{1,200}|default)\s{1,8}login\s{1,8}\S{1,200}\s{1,8}(?:account\s{1,8}\S{1,200}\s{1,8})?password\s{1,8}(\S{3,200})/dg,
    judged: PASSWORD,
  },
  {
    // A line of .pgpass: host, port, database, user, password.
    pattern: /:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w*.-]{1,60}:([^\s:"'\\]{4,200})(?=[\s"']|$)/dg,
    judged: PASSWORD,
  },
  {
    holds: '$',
    // Hashes of passwords.
    pattern:
      /(?<![\w$])(\$(?:1|2[abxy]|5|6|y|apr1|argon2(?:id?|d)|scrypt|pbkdf2[\w-]{0,10})\$[\w./$=,+-]{20,})/dg,
    judged: null,
  },
  {
    // What a person says.
    pattern:
      /\b(?:passw(?:or)?d|passphrase|passcode)\b[^.:=\n"'`]{0,40}?\s(?:is|was|to|as)\s{1,3}["'`]?([^\s"'`,;()]{5,80}[^\s"'`,;().!?:])/dgi,
    judged: { kind: 'password', writing: 'bare' },
  },
]

/** Where the credentials are that their place gives away: a header, an address, a line of a file, a sentence. */
export function placedValues(text: string): CredentialRange[] {
  const found: CredentialRange[] = []
  for (const { pattern, holds, judged } of PLACES) {
    if (holds !== undefined && !text.includes(holds)) continue
    for (const { indices, 1: value = '' } of text.matchAll(pattern)) {
      const place = indices?.[1]
      if (place === undefined) continue
      if (judged === null || isLikely(judged, value)) found.push({ start: place[0], end: place[1] })
    }
  }
  return found
}
