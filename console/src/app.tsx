import { QueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Admin, CustomRoutes, type I18nProvider, Resource } from 'react-admin'
import { createBrowserRouter, Route, RouterProvider } from 'react-router-dom'
import { retry } from './api/retry.ts'
import { ConsoleContext } from './console-context.ts'
import { createDataProvider } from './data-provider.ts'
import { Home } from './home/home.tsx'
import type { Locale } from './i18n/locales.ts'
import { Allowed } from './kit/allowed.tsx'
import { DeniedPage } from './kit/denied-page.tsx'
import { BrokenPage } from './layout/broken-page.tsx'
import { Frame } from './layout/frame.tsx'
import { LostPage } from './layout/lost-page.tsx'
import { pageGroups } from './pages.ts'
import { createAuthProvider, type Me, type Session } from './session.ts'
import { createStore } from './store.ts'
import { darkTheme, lightTheme } from './theme.ts'

interface AppProps {
  me: Me
  session: Session
  locale: Locale
  i18nProvider: I18nProvider
}

/** The console of a signed-in administrator. */
export function App(props: AppProps) {
  const [router] = useState(() => createBrowserRouter([{ path: '*', element: <Console {...props} /> }], { basename: '/admin' }))
  return <RouterProvider router={router} />
}

function Console({ me, session, locale, i18nProvider }: AppProps) {
  const [parts] = useState(() => ({
    dataProvider: createDataProvider(session.call),
    authProvider: createAuthProvider(me),
    queryClient: new QueryClient({ defaultOptions: { queries: { retry } } }),
    store: createStore(locale),
  }))
  const [timeZone, setTimeZone] = useState(me.time_zone)
  const context = useMemo(() => ({ me, session, timeZone, setTimeZone }), [me, session, timeZone])
  return (
    <ConsoleContext value={context}>
      <Admin
        {...parts}
        i18nProvider={i18nProvider}
        lightTheme={lightTheme}
        darkTheme={darkTheme}
        layout={Frame}
        dashboard={Home}
        error={BrokenPage}
        accessDenied={DeniedPage}
        catchAll={LostPage}
        loginPage={false}
        authCallbackPage={false}
        disableTelemetry
        title="Portaria"
      >
        {resources}
        {routes}
      </Admin>
    </ConsoleContext>
  )
}

const resources = pageGroups
  .flatMap((group) => group.resources ?? [])
  .map(({ name, list, show, edit, create, icon }) => (
    <Resource
      key={name}
      name={name}
      icon={icon}
      {...(list && { list })}
      {...(show && { show })}
      {...(edit && { edit })}
      {...(create && { create })}
    />
  ))

const routes = (
  <CustomRoutes>
    {pageGroups
      .flatMap((group) => group.routes ?? [])
      .map(({ path, page: Page, scope }) => (
        <Route
          key={path}
          path={path}
          element={
            <Allowed scope={scope}>
              <Page />
            </Allowed>
          }
        />
      ))}
  </CustomRoutes>
)
