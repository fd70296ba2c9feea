import { Box, Drawer, Link, Skeleton, useMediaQuery } from '@mui/material'
import { type Theme, useTheme } from '@mui/material/styles'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { CoreLayoutProps } from 'react-admin'
import { useLocation } from 'react-router-dom'
import { AuthenticateAgain } from '../authenticate-again.tsx'
import { useSession } from '../console-context.ts'
import { useTexts } from '../i18n/use-texts.ts'
import { kitTexts } from '../kit/texts.ts'
import { Keyboard } from '../palette/keyboard.tsx'
import { frameTexts } from '../texts.ts'
import { Bar } from './bar.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { SideMenu } from './side-menu.tsx'

const MENU_WIDTH = 248

/** Around every page: the bar, the menu (a drawer on phones), one `main`, the dialog that asks for authentication. */
export function Frame({ children }: CoreLayoutProps) {
  const texts = useTexts(frameTexts)
  const { reauthentication } = useSession()
  const { pathname } = useLocation()
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('md'), { noSsr: true })
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  // The focus moves to the new page, so that keyboards and screen readers do not stay at the link that led there.
  useEffect(() => {
    if (shown.current !== pathname) main.current?.focus()
    shown.current = pathname
  }, [pathname])
  return (
    <>
      <SkipLink>{texts.skip}</SkipLink>
      <Bar {...(!isWide && { onMenu: () => setOpen(true) })} />
      <Box sx={{ display: 'flex', alignItems: 'flex-start', minHeight: 'calc(100dvh - 57px)' }}>
        {isWide ? (
          <Box sx={{ width: MENU_WIDTH, flex: 'none', position: 'sticky', top: 57, maxHeight: 'calc(100dvh - 57px)', overflowY: 'auto' }}>
            <SideMenu />
          </Box>
        ) : (
          <Drawer open={isOpen} onClose={close} slotProps={{ paper: { sx: { width: MENU_WIDTH } } }}>
            <SideMenu onChoose={close} />
          </Drawer>
        )}
        <Box
          component="main"
          ref={main}
          id="content"
          tabIndex={-1}
          sx={{ flex: 1, minWidth: 0, px: { xs: 2, md: 3 }, py: 3, outline: 'none' }}
        >
          <PageBoundary key={pathname}>
            <Suspense fallback={<PageToCome />}>{children}</Suspense>
          </PageBoundary>
        </Box>
      </Box>
      <Keyboard />
      <AuthenticateAgain reauthentication={reauthentication} />
    </>
  )
}

/** The room of a page whose script is on its way. */
function PageToCome() {
  const { loading } = useTexts(kitTexts)
  return (
    <Box role="progressbar" aria-label={loading}>
      <Skeleton variant="rounded" width={200} height={28} sx={{ mb: 3 }} />
      <Skeleton variant="rounded" height={320} />
    </Box>
  )
}

function SkipLink({ children }: { children: ReactNode }) {
  const { zIndex } = useTheme()
  return (
    <Link
      href="#content"
      sx={{
        position: 'fixed',
        left: 8,
        top: -100,
        zIndex: zIndex.tooltip,
        px: 2,
        py: 1,
        bgcolor: 'background.paper',
        '&:focus-visible': { top: 8 },
      }}
    >
      {children}
    </Link>
  )
}
