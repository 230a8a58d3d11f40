/** The HTTP proxy through which the service reaches other machines. */
export interface OutboundProxy {
  /** With user name and password, if it demands them. */
  url: URL;
  /** Hosts that are reached without it. */
  exceptions: readonly string[];
}

/** The variables that say which proxy is used. */
export interface ProxyVariables {
  OUTBOUND_USE_PROXY: boolean;
  HTTPS_PROXY?: string | undefined;
  NO_PROXY: readonly string[];
}

/** The proxy that the operator wants to be used; null without one. */
export function outboundProxy(environment: ProxyVariables): OutboundProxy | null {
  const { OUTBOUND_USE_PROXY, HTTPS_PROXY = '', NO_PROXY } = environment;
  return OUTBOUND_USE_PROXY && isProxyAddress(HTTPS_PROXY)
    ? { url: new URL(HTTPS_PROXY), exceptions: NO_PROXY }
    : null;
}

/** Why no proxy can be used although the operator wants one, as a sentence; null when there is nothing to say. */
export function proxyContradiction(environment: ProxyVariables): string | null {
  return environment.OUTBOUND_USE_PROXY && outboundProxy(environment) === null
    ? 'HTTPS_PROXY must be the address of your proxy such as http://proxy.example:3128, since OUTBOUND_USE_PROXY is true'
    : null;
}

function isProxyAddress(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'http:';
}
