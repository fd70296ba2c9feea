import type { Snippet } from './snippet.ts'
import type { SnippetKind } from './snippet-kinds.ts'

interface Facts {
  host: string
  slug: string
  /** The address at which the proxy reaches Portaria. */
  proxyUrl: string
}

type File = Snippet['files'][number]

/** The lines of a proxy that asks Portaria before each request. The app itself is at 127.0.0.1:8080 in all of them. */
export function proxyLines(kind: SnippetKind, facts: Facts): File {
  if (kind === 'caddy') return { name: 'Caddyfile', lines: caddy(facts) }
  if (kind === 'traefik') return { name: 'traefik.yml', lines: traefik(facts) }
  return { name: 'nginx.conf', lines: nginx(facts) }
}

function nginx({ host, proxyUrl }: Facts): string {
  return `server {
  listen 443 ssl;
  server_name ${nameOf(host)};
  # ssl_certificate …

  location / {
    auth_request /portaria;
    auth_request_set $portaria_user $upstream_http_portaria_user;
    auth_request_set $portaria_email $upstream_http_portaria_email;
    auth_request_set $portaria_name $upstream_http_portaria_name;
    auth_request_set $portaria_plan $upstream_http_portaria_plan;
    auth_request_set $portaria_impersonator $upstream_http_portaria_impersonator;
    auth_request_set $portaria_location $upstream_http_location;
    error_page 401 = @portaria_401;
    error_page 403 = @portaria_403;

    # In place of what a visitor has sent. An empty one is left out.
    proxy_set_header Portaria-User $portaria_user;
    proxy_set_header Portaria-Email $portaria_email;
    proxy_set_header Portaria-Name $portaria_name;
    proxy_set_header Portaria-Plan $portaria_plan;
    proxy_set_header Portaria-Impersonator $portaria_impersonator;
    proxy_set_header Host $host;
    proxy_pass http://127.0.0.1:8080;
  }

${nginxLocations(host, proxyUrl)}
}`
}

/** The question to Portaria, and its answers that lead elsewhere. */
function nginxLocations(host: string, proxyUrl: string): string {
  return `  location = /portaria {
    internal;
    proxy_pass ${proxyUrl}/auth/forward?redirect=no;
    proxy_pass_request_body off;
    proxy_set_header Content-Length "";
    # The name itself, not $http_host: a visitor may write one host in the request line and another in its header.
    proxy_set_header X-Forwarded-Host ${host};
    proxy_set_header X-Forwarded-Method $request_method;
    proxy_set_header X-Forwarded-Uri $request_uri;
    proxy_set_header X-Forwarded-For $remote_addr;
  }

  location @portaria_401 {
    if ($portaria_location) { return 302 $portaria_location; }
    return 401;
  }
  location @portaria_403 {
    if ($portaria_location) { return 302 $portaria_location; }
    return 403;
  }`
}

function caddy({ host, proxyUrl }: Facts): string {
  return `${host} {
	route {
		request_header -Portaria*
		forward_auth ${proxyUrl.replace(/^http:\/\//, '')} {
			uri /auth/forward
			copy_headers Portaria-User Portaria-Email Portaria-Name Portaria-Plan Portaria-Impersonator
		}
		reverse_proxy 127.0.0.1:8080
	}
}`
}

function traefik({ host, slug, proxyUrl }: Facts): string {
  return `http:
  middlewares:
    portaria:
      forwardAuth:
        address: ${proxyUrl}/auth/forward
        authResponseHeadersRegex: ^Portaria[-_]
  routers:
    ${slug}:
      rule: Host(\`${nameOf(host)}\`)
      middlewares: [portaria]
      service: ${slug}
      tls: {}
  services:
    ${slug}:
      loadBalancer:
        servers:
          - url: http://127.0.0.1:8080`
}

/** Without its port, which proxies match elsewhere. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '')
}
