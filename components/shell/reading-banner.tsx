'use client'

import { useLive } from '@/components/live/use-live'
import { classes } from '@/components/ui/classes'
import { AlertGlyph } from '@/components/ui/glyphs'
import type { ReadingNotice } from '@/lib/view/shell/reading-notice'

const BACKGROUNDS: { readonly [T in ReadingNotice['tone']]: string } = {
  danger: 'bg-danger-soft',
  attention: 'bg-attention-soft',
  neutral: 'bg-inset',
}

/**
 * Says on every page how far a long reading of the stores is, and when they are read by another process, by none, or onto
 * a disk without room.
 * @param props.notices as they were when the page was made
 */
export function ReadingBanner({ notices: first }: { notices: readonly ReadingNotice[] }) {
  const notices = useLive().reading ?? first
  if (notices.length === 0) return null
  return (
    <ul aria-label="Reading of the stores">
      {notices.map(({ tone, text }) => (
        <li
          key={tone + text.slice(0, 24)}
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
