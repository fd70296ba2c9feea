import { Paper } from '@mui/material'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useStore } from 'react-admin'
import { useNavigate } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { isDialogOpen, isTypedInto, readKey } from './keys.ts'
import { type PageAction, readPageActions } from './page-actions.ts'
import { paletteTexts } from './palette-texts.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const KeysHelp = lazy(async () => ({ default: (await import('./keys-help.tsx')).KeysHelp }))

/** How long `g` waits for its letter. */
const WAIT_MS = 2_000
/** Opens the list of keys, from elsewhere than the keyboard. */
export const SHOW_KEYS = 'portaria-keys'

type Open = { kind: 'palette'; actions: readonly PageAction[] } | { kind: 'help' }

/** The keys of the console, with what they open. */
export function Keyboard() {
  const texts = useTexts(paletteTexts)
  const navigate = useNavigate()
  const [areOn, setOn] = useStore('keys.single', true)
  const [open, setOpen] = useState<Open>()
  const [isWaiting, setWaiting] = useState(false)
  const state = useRef({ areOn, isWaiting })
  state.current = { areOn, isWaiting }
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setWaiting(false), WAIT_MS)
    return () => clearTimeout(timer)
  }, [isWaiting])
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isModifier(event.key) || isDialogOpen()) return
      const read = readKey(event, { ...state.current, isTyping: isTypedInto(event.target) })
      setWaiting(read?.does === 'wait')
      // The search box listens for its own key.
      if (!read || read.does === 'search') return
      event.preventDefault()
      if (read.does === 'palette') setOpen({ kind: 'palette', actions: readPageActions() })
      if (read.does === 'help') setOpen({ kind: 'help' })
      if (read.does === 'go') void navigate(read.to)
      if (read.does === 'next' || read.does === 'previous') moveInRows(read.does)
    }
    const show = () => setOpen({ kind: 'help' })
    document.addEventListener('keydown', listen)
    document.addEventListener(SHOW_KEYS, show)
    return () => {
      document.removeEventListener('keydown', listen)
      document.removeEventListener(SHOW_KEYS, show)
    }
  }, [navigate])
  const close = () => setOpen(undefined)
  return (
    <>
      <Paper
        role="status"
        elevation={4}
        sx={{
          position: 'fixed',
          bottom: 16,
          left: '50%',
          transform: 'translateX(-50%)',
          zIndex: 'snackbar',
          px: isWaiting ? 2 : 0,
          py: isWaiting ? 1 : 0,
        }}
      >
        {isWaiting && texts.waiting}
      </Paper>
      <Suspense>
        {open?.kind === 'palette' && <Palette actions={open.actions} onClose={close} />}
        {open?.kind === 'help' && <KeysHelp areOn={areOn} onTurn={setOn} onClose={close} />}
      </Suspense>
    </>
  )
}

function isModifier(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'Meta'
}

/** Moves the focus from row to row of the first list of the page. From elsewhere it goes to the first row, or to the last. */
function moveInRows(way: 'next' | 'previous'): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row-link]')]
  const { activeElement } = document
  const at = activeElement instanceof HTMLElement ? rows.indexOf(activeElement) : -1
  const to = way === 'next' ? at + 1 : (at === -1 ? rows.length : at) - 1
  rows[to]?.focus()
}
