// A learning platform that speaks LTI 1.3, as far as a launch needs it: a course's page with a frame, and keys.
import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const CLIENT = 'fanmill-7';
const DEPLOYMENT = 'd1';
const LTI = 'https://purl.imsglobal.org/spec/lti/claim/';

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** A page whose form is sent at once, as platforms do it. */
const sent = (to: string, target: string, fields: Record<string, string>) => {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  return `<form method="post" action="${escaped(to)}" target="${target}">${inputs.join('')}</form>
<script>document.forms[0].submit()</script>`;
};

/** The platform. Its address is of another site than `localhost` is. */
export class Platform {
  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {}

  /** Starts a platform whose course shows the service at `tool` in a frame. */
  static async start(tool: string): Promise<Platform> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const platform = new Platform(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url!, platform.address);
      const isKeys = pathname === '/keys';
      response.setHeader('content-type', isKeys ? 'application/json' : 'text/html; charset=utf-8');
      response.setHeader('set-cookie', 'campus=1');
      if (isKeys) response.end(JSON.stringify(platform.published()));
      else if (pathname === '/auth') response.end(platform.stated(searchParams));
      else response.end(platform.course(tool));
    });
    return platform;
  }

  /** What an administrator gives to `fanmill serve platform add`. */
  get registration(): string[] {
    const at = (path: string) => this.address + path;
    const fields = [
      ['--issuer', this.address],
      ['--client-id', CLIENT],
      ['--login-url', at('/auth')],
      ['--token-url', at('/token')],
      ['--keys-url', at('/keys')],
      ['--deployment', DEPLOYMENT],
    ];
    return fields.flat();
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private published(): unknown {
    const key = this.keys.publicKey.export({ format: 'jwk' });
    return { keys: [{ ...key, kid: 'k1', use: 'sig', alg: 'RS256' }] };
  }

  private course(tool: string): string {
    const begin = sent(`${tool}/lti/login`, 'tool', {
      iss: this.address,
      client_id: CLIENT,
      login_hint: 'uma',
      target_link_uri: `${tool}/lti/launch`,
    });
    return `<!doctype html><link rel="icon" href="data:,"><title>Compilers 2</title><iframe name="tool"></iframe>${begin}`;
  }

  /** Answers the question who the person is with a statement that the browser carries to the service. */
  private stated(asked: URLSearchParams): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.address,
      aud: CLIENT,
      sub: 'uma',
      iat: now,
      exp: now + 300,
      nonce: asked.get('nonce'),
      name: 'Uma Ost',
      [`${LTI}message_type`]: 'LtiResourceLinkRequest',
      [`${LTI}version`]: '1.3.0',
      [`${LTI}deployment_id`]: DEPLOYMENT,
      [`${LTI}roles`]: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor'],
      [`${LTI}context`]: { id: 'c2', label: 'C2', title: 'Compilers 2' },
    };
    const head = { alg: 'RS256', kid: 'k1', typ: 'JWT' };
    const [first, second] = [head, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const signature = sign('RSA-SHA256', Buffer.from(`${first}.${second}`), this.keys.privateKey);
    const token = `${first}.${second}.${signature.toString('base64url')}`;
    return sent(asked.get('redirect_uri')!, '_self', { state: asked.get('state')!, id_token: token });
  }
}
