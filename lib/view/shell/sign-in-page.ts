import type { Theme } from './theme'

/** What the page of a server that asks for its token says. */
export type SignInPage = {
  /** What went wrong with the last try; null at the first. */
  readonly problem: string | null
  /** Where to go after signing in: an address of ours. */
  readonly next: string
  /** The operator chose the token; otherwise it was made for the state folder. */
  readonly ownToken: boolean
  readonly theme: Theme
  readonly nonce: string
}

/**
 * The page that asks for the token. It is whole in itself: no other file of the dashboard is answered before the
 * visitor has signed in.
 */
export function signInPage({ problem, next, ownToken, theme, nonce }: SignInPage): string {
  const where = ownToken
    ? 'It is the <code>PLIMSOLL_TOKEN</code> that the server was started with.'
    : 'It is in the file <code>token</code> of the state folder.'
  const alert = problem === null ? '' : `<p class="problem" role="alert" id="problem">${escaped(problem)}</p>`
  const described = problem === null ? 'where' : 'problem where'
  return page({
    theme,
    nonce,
    title: 'Sign in',
    body: `<h1>Sign in</h1>
<p>Transcripts hold secrets, so this dashboard asks who you are. Open the link that <code>plimsoll serve</code> printed, get a new one with <code>plimsoll sign-in</code>, or enter the token.</p>
<form method="post" action="/sign-in">
${alert}<label for="token">Token</label>
<input type="hidden" name="next" value="${escaped(next)}">
<input id="token" name="token" type="password" required autofocus autocomplete="current-password" spellcheck="false" aria-describedby="${described}"${problem === null ? '' : ' aria-invalid="true"'}>
<p class="hint" id="where">${where}</p>
<button type="submit">Sign in</button>
</form>`,
  })
}

/**
 * Sends the browser on to one of our own addresses. A browser keeps its session to itself on the way from another site,
 * and gives it when a page of ours sends it.
 */
export function hopPage({
  to,
  theme,
  nonce,
}: {
  readonly to: string
  readonly theme: Theme
  readonly nonce: string
}): string {
  return page({
    theme,
    nonce,
    title: 'One moment',
    head: `<meta http-equiv="refresh" content="0; url=${escaped(to)}">`,
    body: `<h1>One moment</h1>
<p>You come from another site. <a href="${escaped(to)}">Go on to the dashboard</a></p>`,
  })
}

/** What such a page may do: show itself, and send its form to us. */
export function signInPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function page(parts: {
  readonly theme: Theme
  readonly nonce: string
  readonly title: string
  readonly head?: string
  readonly body: string
}): string {
  const { theme, nonce, title, head = '', body } = parts
  return `<!doctype html>
<html lang="en"${theme === 'system' ? '' : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title} · Plimsoll</title>
<link rel="icon" href="data:,">
${head}<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<p class="name">${MARK}Plimsoll</p>
${body}
</main>
</body>
</html>
`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** The mark of the dashboard: a circle with its load line. */
const MARK =
  '<svg width="22" height="22" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true"><circle cx="12" cy="12" r="7"/><path d="M2 12h20"/></svg>'

/** The dashboard's own colours and measures (app/globals.css). */
const STYLE = `
:root{color-scheme:light dark;--page:light-dark(#f6f7f9,#0c1117);--surface:light-dark(#fff,#121821);--line:light-dark(#dfe4ea,#232d3a);--strong:light-dark(#8793a0,#6b7887);--text:light-dark(#14202c,#e4eaf1);--muted:light-dark(#52606d,#9aa8b7);--accent:light-dark(#2468b0,#6ba5f2);--on:light-dark(#fff,#0c1117);--danger:light-dark(#b42318,#ff6b5e);--soft:light-dark(#fdecea,#311a1a)}
[data-theme=light]{color-scheme:light}
[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:grid;place-items:center;padding:16px;background:var(--page);color:var(--text);font:14px/20px Inter,system-ui,"Liberation Sans",sans-serif}
main{width:100%;max-width:400px;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:8px;overflow-wrap:anywhere}
h1{margin:16px 0 8px;font-size:20px;line-height:28px}
p{margin:0 0 16px}
code{font-family:ui-monospace,"Liberation Mono",monospace;font-size:13px}
a{color:var(--accent)}
.name{display:flex;align-items:center;gap:8px;margin:0;color:var(--accent);font-size:16px;line-height:24px;font-weight:600}
.hint{color:var(--muted);margin:8px 0 16px}
.problem{padding:8px 12px;border-radius:6px;background:var(--soft);color:var(--danger)}
label{display:block;margin-bottom:4px;font-weight:600}
input,button{width:100%;min-height:40px;font:inherit;border-radius:6px}
input{padding:8px 12px;color:inherit;background:var(--page);border:1px solid var(--strong)}
button{border:0;background:var(--accent);color:var(--on);font-weight:600;cursor:pointer}
:is(input,button,a):focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`
