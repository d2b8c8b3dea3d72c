import type { CredentialRange } from './credential-range'

/**
 * Tokens that say by their form whose they are: how they begin, what they are made of, and how many characters follow
 * at the least. The forms are those that the providers publish and that the common secret scanners look for (gitleaks,
 * secretlint). Their rules themselves cannot be used here: gitleaks writes them for an engine without backtracking,
 * where they are linear and here they are not, and secretlint's run asynchronously with parts of Node and ask for whole
 * tokens, while a preview cuts them.
 */
type TokenForm = readonly [begin: string, made: string, least: number]

/** What the rest of a token is made of. */

const WORD = '[\\w-]'
const ALNUM = '[A-Za-z0-9]'
const HEX = '[A-Fa-f0-9]'
const BASE64 = '[\\w+/=-]'

const FORMS: readonly TokenForm[] = [
  // Models: Anthropic, Groq, xAI, Perplexity, Replicate, Hugging Face.
  ['sk-ant-', WORD, 16],
  ['gsk_', ALNUM, 24],
  ['xai-', ALNUM, 24],
  ['pplx-', ALNUM, 24],
  ['r8_', ALNUM, 24],
  ['hf_', ALNUM, 24],
  ['api_org_', ALNUM, 24],
  // Stripe, Square.
  ['[rs]k_(?:live|test|prod)_', '\\w', 16],
  ['whsec_', BASE64, 24],
  ['sq0(?:atp|csp)-', WORD, 22],
  ['(?<![+/])EAAA', WORD, 50],
  // GitHub, GitLab, Atlassian, Bitbucket.
  ['gh[pousr]_', ALNUM, 20],
  ['github_pat_', '\\w', 20],
  ['gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|oas|soat)-', '[\\w.-]', 16],
  ['AT(?:ATT|CTT)3', BASE64, 40],
  ['ATBB', ALNUM, 28],
  // Slack.
  ['xox[abeoprs](?:\\.xox[bp])?-(?=[\\w-]{0,40}\\d)', WORD, 10],
  ['xapp-\\d', WORD, 16],
  // Amazon, Google, Azure, Alibaba, DigitalOcean, Fly, Heroku, Supabase, Pulumi, Databricks.
  ['ABSK', BASE64, 80],
  ['AIza', WORD, 30],
  ['ya29\\.', WORD, 20],
  ['GOCSPX-', WORD, 20],
  ['1//0', WORD, 30],
  ['LTAI', ALNUM, 16],
  ['do[opr]_v1_', HEX, 40],
  ['fm[12][ar]?_', BASE64, 60],
  ['HRKU-', WORD, 36],
  ['sb[ps]_', ALNUM, 36],
  ['pul-', HEX, 40],
  ['dapi', HEX, 32],
  // Mail: Brevo, Mailgun.
  ['xkeysib-', WORD, 40],
  ['(?:pub)?key-', HEX, 32],
  // Packages: npm, PyPI, RubyGems, Docker Hub, crates.io, JFrog.
  ['npm_', ALNUM, 30],
  ['pypi-', WORD, 40],
  ['rubygems_', HEX, 40],
  ['dckr_(?:pat|oat)_', WORD, 20],
  ['(?<![+/])cio', ALNUM, 32],
  ['AKCp', ALNUM, 60],
  // Shops, notes, designs: Shopify, Notion, Linear, Figma, Airtable, Postman, Typeform.
  ['shp(?:at|ca|pa|ss)_', HEX, 32],
  ['ntn_', ALNUM, 40],
  ['secret_', ALNUM, 40],
  ['lin_(?:api|oauth)_', '\\w', 32],
  ['fig[dou]_', WORD, 36],
  ['pat[A-Za-z0-9]{14}\\.', HEX, 40],
  ['PMAK-', '[a-f0-9-]', 50],
  ['tfp_', '[\\w.-]', 40],
  // Watching: New Relic, Sentry, Grafana, Dynatrace.
  ['NR(?:AK|JS|II|BR)-', '[A-Za-z0-9-]', 19],
  ['sntry[su]_', BASE64, 40],
  ['gl(?:sa|c)_', BASE64, 32],
  ['dt0c01\\.[A-Z0-9]{24}\\.', ALNUM, 40],
  // Networks and vaults: Tailscale, Terraform, HashiCorp, age, Doppler, PlanetScale, 1Password, Cloudflare.
  ['tskey-', WORD, 20],
  ['hv[sbr]\\.', WORD, 24],
  ['AGE-SECRET-KEY-1', '[A-Z0-9]', 50],
  ['dp\\.(?:pt|st|ct|sa|scim|audit)\\.', '[\\w.-]', 40],
  ['pscale_(?:tkn|pw|oauth)_', '[\\w.-]', 32],
  ['ops_eyJ', BASE64, 40],
  ['v1\\.0-[a-f0-9]{24}-', HEX, 100],
]

/** Forms of which more is known than a beginning and a number of characters. */
const OTHERS: readonly (readonly [begin: string, rest: string])[] = [
  // OpenAI, OpenRouter, DeepSeek and their like. Words with hyphens have no digits, or begin with no `sk-`.
  ['sk-', '(?=[\\w-]{0,80}\\d)(?:[\\w-]{16,}|[\\w-]{4,15}(?=…|\\.{3}))'],
  // Key ids of Amazon, keys of Twilio.
  ['A(?:KIA|SIA|BIA|CCA)', '(?:[0-9A-Z]{16}(?![\\w-])|[0-9A-Z]{4,15}(?=…|\\.{3}))'],
  ['SK', '(?:[0-9a-f]{32}(?![\\w-])|[0-9a-f]{6,31}(?=…|\\.{3}))'],
  // SendGrid.
  ['SG\\.', '(?:[\\w-]{16,64}\\.[\\w-]{16,}|[\\w-]{6,64}(?=…|\\.{3}))'],
  // JSON web tokens, and keys that were put into base64 as a whole; certificates are public.
  ['eyJ', '(?:[\\w-]{10,}\\.[\\w-]{10,}(?:\\.[\\w-]*)?|[\\w-]{6,}(?=…|\\.{3}))'],
  ['LS0tLS1CRUdJTi', '(?!BDRVJU)[A-Za-z0-9+/=]{20,}'],
]

/** Shorter ones are covered where an ellipsis or three dots say that they were cut. */
const SHORTEST_CUT = 4

const BEGINNINGS = [...FORMS, ...OTHERS].map(([begin]) => begin)

// What may repeat without limit cannot be tried again from its own middle: the look-behind sees to it. Beginnings are searched for first, because an expression with everything in it takes ten times as long on ordinary text.
const BEGIN = new RegExp(`(?<![\\w-])(?:${BEGINNINGS.join('|')})`, 'g')

const TOKEN = new RegExp(
  [
    ...FORMS.map(
      ([begin, made, least]) =>
        `${begin}(?:${made}{${least},}|${made}{${SHORTEST_CUT},${least - 1}}(?=…|\\.{3}))`,
    ),
    ...OTHERS.map(([begin, rest]) => `${begin}${rest}`),
  ].join('|'),
  'y',
)

/** Forms without a beginning, by what every one of them holds: Terraform, Mailchimp, Azure, Telegram, Discord bots. */
const MIDDLES: readonly (readonly [holds: string, form: RegExp])[] = [
  ['.atlasv1.', /(?<![\w-])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,}/g],
  ['-us', /(?<![\w-])[0-9a-f]{32}-us\d{1,2}(?![\w-])/g],
  ['Q~', /(?<![\w-])[A-Za-z0-9]{3}\dQ~[\w~.-]{31,}/g],
  [':AA', /(?<![\w-])\d{8,10}:AA[\w-]{30,}/g],
  ['.', /(?<![\w-])[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}/g],
]

const AMAZON_KEY_ID = /^A[KS]IA/

/** Forty characters of base64, with nothing of the kind on either side. */
const AMAZON_SECRET = /(?<![\w+/=])[A-Za-z0-9+/]{40}(?![\w+/=])/g

/** How far behind its id the secret key of Amazon is searched for, in UTF-16 units. */
const NEAR = 160

/** Where the tokens are whose form says what they are. */
export function providerTokens(text: string): CredentialRange[] {
  const found: CredentialRange[] = []
  let searched = 0
  BEGIN.lastIndex = 0
  for (let begin = BEGIN.exec(text); begin !== null; begin = BEGIN.exec(text)) {
    TOKEN.lastIndex = begin.index
    const token = TOKEN.exec(text)?.[0]
    if (token === undefined) continue
    const end = begin.index + token.length
    BEGIN.lastIndex = end
    found.push({ start: begin.index, end })
    if (!AMAZON_KEY_ID.test(token) || end + NEAR <= searched) continue
    found.push(...amazonSecrets(text, Math.max(end, searched), end + NEAR))
    searched = end + NEAR
  }
  for (const [holds, form] of MIDDLES) {
    if (!text.includes(holds)) continue
    for (const { index, 0: token } of text.matchAll(form))
      found.push({ start: index, end: index + token.length })
  }
  return found
}

function amazonSecrets(text: string, from: number, to: number): CredentialRange[] {
  return [...text.slice(from, to).matchAll(AMAZON_SECRET)]
    .filter(([key]) => /\d/.test(key) && /[a-z]/.test(key))
    .map(({ index, 0: key }) => ({ start: from + index, end: from + index + key.length }))
}
