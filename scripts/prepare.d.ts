export declare const home: string;
export declare function installApart(source: string, folder: string): void;
export declare function refreshWeb(): void;
export declare function buildWeb(): void;
