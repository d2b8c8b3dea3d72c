import { classes } from '@/components/ui/classes'
import { AlertGlyph } from '@/components/ui/glyphs'
import type { ReadingNotice } from '@/lib/view/shell/reading-notice'

const BACKGROUNDS: { readonly [T in ReadingNotice['tone']]: string } = {
  danger: 'bg-danger-soft',
  attention: 'bg-attention-soft',
  neutral: 'bg-inset',
}

/** Says on every page when the stores are read by another process, by none, or onto a disk without room. */
export function ReadingBanner({ notices }: { notices: readonly ReadingNotice[] }) {
  if (notices.length === 0) return null
  return (
    <ul aria-label="Reading of the stores">
      {notices.map(({ tone, text }) => (
        <li
          key={text}
          className={classes(
            'flex items-start gap-2 border-b border-line px-3 py-1.5 text-table md:px-4',
            BACKGROUNDS[tone],
          )}
        >
          {tone !== 'neutral' && (
            <span className={tone === 'danger' ? 'mt-0.5 text-danger' : 'mt-0.5 text-attention'}>
              <AlertGlyph />
            </span>
          )}
          <span className="isolate-text min-w-0">{text}</span>
        </li>
      ))}
    </ul>
  )
}
