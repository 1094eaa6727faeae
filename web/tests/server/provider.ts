// A service that people log in by: `oidc-provider` over TLS, with the smallest form that asks for a name.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Provider from 'oidc-provider';

const TLS = join(dirname(fileURLToPath(import.meta.url)), 'tls');
/** What has signed the certificate of this service. */
export const AUTHORITY = join(TLS, 'ca.pem');
export const CLIENT = { client_id: 'fanmill', client_secret: 'a secret & its +/= letters' };

export class Login {
  private provider: Provider | null = null;
  /** What went wrong in the service itself. */
  readonly faults: unknown[] = [];

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<Login> {
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(TLS, name)));
    const server = createServer({ key, cert });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const login = new Login(server, `https://localhost:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      login.answer(request, response).catch((error: unknown) => {
        login.faults.push(error);
        response.writeHead(500).end();
      });
    });
    return login;
  }

  stop(): Promise<unknown> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  /** Registers a Fanmill server, which has to be there already. */
  register(address: string): void {
    this.provider = new Provider(this.issuer, {
      clients: [{ ...CLIENT, redirect_uris: [`${address}/login/oidc/callback`] }],
      claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
      cookies: { keys: ['a key of the tests'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, name: `${sub} of the university`, email: `${sub}@example.edu` }),
      }),
    });
    this.provider.on('server_error', (_, error) => this.faults.push(error));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { provider } = this;
    if (!provider) throw new Error('nobody is registered');
    if (!request.url!.startsWith('/interaction/')) return provider.callback()(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'consent') {
      const grant = new provider.Grant({
        accountId: session!.accountId,
        clientId: String(params.client_id),
      });
      grant.addOIDCScope('openid profile email');
      return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
    }
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
      response.end(
        '<!doctype html><title>University</title><form method=post><label>Who <input name=who></label>',
      );
      return;
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const who = new URLSearchParams(body).get('who')!;
    const result =
      who === '' ? { error: 'access_denied', error_description: 'nobody' } : { login: { accountId: who } };
    await provider.interactionFinished(request, response, result);
  }
}
