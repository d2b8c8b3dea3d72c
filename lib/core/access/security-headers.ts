/**
 * The policy that keeps transcript text from ever becoming code: scripts run only with this response's nonce, nothing
 * is loaded from elsewhere, no page may frame it.
 * @param nonce fresh for each response, base64
 * @param development React's development build compiles with `eval`
 */
export function contentSecurityPolicy({
  nonce,
  development,
}: {
  nonce: string
  development: boolean
}): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // The development server puts styles into the page without a nonce.
    `style-src-elem 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Style attributes carry computed positions and colours of charts; they cannot run or load anything.
    "style-src-attr 'unsafe-inline'",
    // Transcripts hold pictures inside the text; blobs serve exports.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Headers that every response carries, whatever it is. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
