import { random as r } from './random-text'

/** A way in which a credential occurs in a text. */
export type SecretForm = {
  readonly name: string
  /** A text with a new credential in it, and the part of it that must be covered. */
  readonly draw: () => { readonly text: string; readonly secret: string }
}

/** A credential that says by its form what it is. Its beginning is put together, so that no tool takes this for a leak. */
function token(name: string, begin: readonly string[], rest: () => string): SecretForm {
  return {
    name,
    draw: () => {
      const secret = begin.join('') + rest()
      return { text: `use ${secret} for it`, secret }
    },
  }
}

/** The same where only a part of the text is secret; `#` is its place. */
function around(name: string, text: string, secret: () => string): SecretForm {
  return {
    name,
    draw: () => {
      const drawn = secret()
      return { text: text.replace('#', () => drawn), secret: drawn }
    },
  }
}

/** Credentials of providers, by their form. */
export const PROVIDER_FORMS: readonly SecretForm[] = [
  token('OpenAI, project', ['sk-', 'proj-'], () => r.url(120)),
  token('OpenAI, old', ['sk', '-'], () => `${r.base62(20)}T3Blbk${r.base62(22)}`),
  token('OpenAI, service account', ['sk-', 'svcacct-'], () => r.url(100)),
  token('Anthropic', ['sk-', 'ant-', 'api03-'], () => `${r.url(93)}AA`),
  token('Anthropic, administrator', ['sk-', 'ant-', 'admin01-'], () => `${r.url(93)}AA`),
  token('OpenRouter', ['sk-', 'or-v1-'], () => r.hex(64)),
  token('DeepSeek', ['sk', '-'], () => r.hex(32)),
  token('Groq', ['gs', 'k_'], () => r.base62(52)),
  token('xAI', ['xa', 'i-'], () => r.base62(80)),
  token('Perplexity', ['pp', 'lx-'], () => r.base62(48)),
  token('Replicate', ['r', '8_'], () => r.base62(37)),
  token('Hugging Face', ['h', 'f_'], () => r.base62(34)),
  token('Hugging Face, organisation', ['api', '_org_'], () => r.base62(34)),
  token('Stripe', ['sk_', 'live_'], () => r.base62(24)),
  token('Stripe, restricted', ['rk_', 'live_'], () => r.base62(24)),
  token('Stripe, test', ['sk_', 'test_'], () => r.base62(24)),
  token('Stripe, webhook', ['wh', 'sec_'], () => r.base62(32)),
  token('GitHub', ['gh', 'p_'], () => r.base62(36)),
  token('GitHub, OAuth', ['gh', 'o_'], () => r.base62(36)),
  token('GitHub, user to server', ['gh', 'u_'], () => r.base62(36)),
  token('GitHub, server', ['gh', 's_'], () => r.base62(36)),
  token('GitHub, refresh', ['gh', 'r_'], () => r.base62(76)),
  token('GitHub, fine-grained', ['github', '_pat_'], () => `${r.base62(22)}_${r.base62(59)}`),
  token('GitLab', ['gl', 'pat-'], () => r.url(20)),
  token('GitLab, deploy', ['gl', 'dt-'], () => r.url(20)),
  token('GitLab, runner', ['gl', 'rt-'], () => r.url(20)),
  token('Atlassian', ['ATA', 'TT3xFfGF0'], () => `${r.url(170)}=${r.capital(8)}`),
  token('Bitbucket', ['AT', 'BB'], () => r.base62(32)),
  token('Slack, bot', ['xo', 'xb-'], () => `${r.digits(12)}-${r.digits(12)}-${r.base62(24)}`),
  token('Slack, user', ['xo', 'xp-'], () => `${r.digits(12)}-${r.digits(12)}-${r.hex(32)}`),
  token('Slack, app', ['xa', 'pp-'], () => `1-${r.capital(11)}-${r.digits(13)}-${r.hex(64)}`),
  token('Slack, refresh', ['xo', 'xe-'], () => `1-${r.base62(146)}`),
  around('Slack, webhook', ['https://hooks.sl', 'ack.com/services/#'].join(''), () =>
    [`T${r.capital(10)}`, `B${r.capital(10)}`, r.base62(24)].join('/'),
  ),
  around('Discord, webhook', ['https://disc', 'ord.com/api/webhooks/123456789012345678/#'].join(''), () =>
    r.url(68),
  ),
  around('Teams, webhook', ['https://acme.webhook.off', 'ice.com/webhookb2/#'].join(''), () =>
    [`${r.uuid()}@${r.uuid()}`, 'IncomingWebhook', r.hex(32), r.uuid()].join('/'),
  ),
  token('Discord, bot', ['M'], () => `${r.base62(23)}.${r.url(6)}.${r.url(38)}`),
  token('Telegram', [], () => `${r.digits(10)}:AA${r.url(33)}`),
  token('Amazon, key id', ['AK', 'IA'], () => r.capital(16)),
  token('Amazon, temporary key id', ['AS', 'IA'], () => r.capital(16)),
  token('Amazon, Bedrock', ['AB', 'SK'], () => `${r.base64(120)}=`),
  {
    name: 'Amazon, key id and secret key in one line',
    draw: () => {
      const secret = r.base64(40)
      return { text: ['AK', 'IA', r.capital(16), ',', secret].join(''), secret }
    },
  },
  token('Google, API key', ['AI', 'za'], () => r.url(35)),
  token('Google, access', ['ya', '29.'], () => `a0${r.url(120)}`),
  token('Google, client secret', ['GOC', 'SPX-'], () => r.url(28)),
  token('Google, refresh', ['1', '//0'], () => r.url(100)),
  token('Azure, client secret', [], () => `${r.base62(3)}8Q~${r.url(34)}`),
  token('DigitalOcean', ['dop', '_v1_'], () => r.hex(64)),
  token('DigitalOcean, OAuth', ['doo', '_v1_'], () => r.hex(64)),
  token('SendGrid', ['S', 'G.'], () => `${r.url(22)}.${r.url(43)}`),
  token('Mailgun', ['ke', 'y-'], () => r.hex(32)),
  token('Mailchimp', [], () => `${r.hex(32)}-us12`),
  token('Twilio', ['S', 'K'], () => r.hex(32)),
  token('Brevo', ['xkey', 'sib-'], () => `${r.hex(64)}-${r.plain(16)}`),
  token('npm', ['np', 'm_'], () => r.base62(36)),
  token('PyPI', ['py', 'pi-'], () => `AgEIcHlwaS5vcmc${r.url(120)}`),
  token('RubyGems', ['ruby', 'gems_'], () => r.hex(48)),
  token('Docker Hub', ['dckr', '_pat_'], () => r.url(27)),
  token('Shopify', ['shp', 'at_'], () => r.hex(32)),
  token('Databricks', ['da', 'pi'], () => r.hex(32)),
  token('Notion', ['nt', 'n_'], () => r.digits(11) + r.base62(35)),
  token('Notion, old', ['sec', 'ret_'], () => r.base62(43)),
  token('Linear', ['lin', '_api_'], () => r.base62(40)),
  token('Figma', ['fi', 'gd_'], () => r.url(40)),
  token('Airtable', ['p', 'at'], () => `${r.base62(14)}.${r.hex(64)}`),
  token('Postman', ['PM', 'AK-'], () => `${r.hex(24)}-${r.hex(34)}`),
  token('New Relic', ['NR', 'AK-'], () => r.capital(27)),
  token('Sentry', ['snt', 'rys_'], () => `eyJ${r.base62(100)}_${r.base62(43)}`),
  token('Sentry, user', ['snt', 'ryu_'], () => r.hex(64)),
  token('Grafana', ['gl', 'sa_'], () => `${r.base62(32)}_${r.hex(8)}`),
  token('Grafana, cloud', ['gl', 'c_'], () => `eyJ${r.base62(100)}`),
  token('Tailscale', ['tsk', 'ey-'], () => `auth-${r.base62(12)}CNTRL-${r.base62(32)}`),
  token('Terraform', [], () => `${r.base62(14)}.${['atl', 'asv1'].join('')}.${r.url(67)}`),
  token('Vault', ['hv', 's.'], () => r.url(95)),
  token('Vault, batch', ['hv', 'b.'], () => r.url(140)),
  token('age', ['AGE-SECRET', '-KEY-1'], () => r.capital(58)),
  token('Doppler', ['dp', '.pt.'], () => r.base62(43)),
  token('PlanetScale', ['pscale', '_tkn_'], () => r.url(43)),
  token('Supabase', ['sb', 'p_'], () => r.hex(40)),
  token('Square', ['EA', 'AA'], () => r.url(60)),
  token('Fly', ['fm', '2_'], () => r.base64(120)),
  token('Heroku', ['HR', 'KU-'], () => `AA${r.url(58)}`),
  token('Pulumi', ['pu', 'l-'], () => r.hex(40)),
  token('1Password', ['op', 's_'], () => `eyJ${r.base62(300)}`),
  token('JSON web token', ['ey', 'J'], () => `${r.base62(33)}.eyJ${r.base62(60)}.${r.url(43)}`),
]
